import FleetTestSupport
import Foundation
import Synchronization
import Testing

/// A tab of its own, with a profile of its own.
final class BrowserPage: Sendable {
    private let browser: Chromium
    private let session: String
    private let context: String
    /// Whose profile it has; lives as long as it.
    private let other: BrowserPage?
    private let found = Mutex<[String]>([])

    /// Errors, exceptions and refusals that the page's console tells, but for those of the network, which a test may want.
    var problems: [String] { found.withLock { $0 } }

    /// Opens an empty tab of `width` × `height`, with the profile of `other` where one is given.
    init(
        _ browser: Chromium, width: Int = 1366, height: Int = 768, isPhone: Bool = false, isDark: Bool = false,
        beside other: BrowserPage? = nil
    ) async throws {
        self.browser = browser
        self.other = other
        if let other {
            context = other.context
        } else {
            context = try await browser.call("Target.createBrowserContext")["browserContextId"].string ?? ""
        }
        let target = try await browser.call("Target.createTarget", ["url": "about:blank", "browserContextId": context])
        let attached = try await browser.call(
            "Target.attachToTarget", ["targetId": target["targetId"].string ?? "", "flatten": true])
        session = attached["sessionId"].string ?? ""
        browser.listen(to: session) { [weak self] in self?.hear($0) }
        for domain in ["Page", "Runtime", "Log", "Network"] { try await call("\(domain).enable") }
        try await resize(width: width, height: height, isPhone: isPhone)
        try await call(
            "Emulation.setEmulatedMedia",
            [
                "features": [
                    ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"],
                    ["name": "prefers-reduced-motion", "value": "reduce"],
                ]
            ])
        // A country of km/h and 24 hours.
        try await call("Emulation.setLocaleOverride", ["locale": "en-IE"])
        try await call("Emulation.setUserAgentOverride", ["userAgent": "Chromium", "acceptLanguage": "en-IE"])
        // Counted from the first paint on.
        try await call(
            "Page.addScriptToEvaluateOnNewDocument",
            [
                "source": """
                window.shifts = [];
                new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push({
                    value: entry.value, who: entry.sources.map((s) => s.node?.id || s.node?.className || s.node?.nodeName).join(",") }); })
                    .observe({ type: "layout-shift", buffered: true });
                """
            ])
    }

    /// The tab and its profile go with the object.
    deinit {
        browser.listen(to: session, nil)
        guard other == nil else { return }
        Task { [browser, context] in try? await browser.call("Target.disposeBrowserContext", ["browserContextId": context]) }
    }

    @discardableResult
    func call(_ method: String, _ parameters: [String: Any] = [:]) async throws -> JSONValue {
        try await browser.call(method, parameters, session: session)
    }

    private func hear(_ event: Chromium.Event) {
        let text: String? =
            switch event.method {
            case "Runtime.exceptionThrown":
                event.parameters["exceptionDetails"]["exception"]["description"].string
                    ?? event.parameters["exceptionDetails"]["text"].string
            case "Runtime.consoleAPICalled" where ["error", "warning"].contains(event.parameters["type"].string):
                event.parameters["args"][0]["value"].string ?? "console"
            case "Log.entryAdded"
            where event.parameters["entry"]["level"].string == "error" && event.parameters["entry"]["source"].string != "network":
                event.parameters["entry"]["text"].string
            default: nil
            }
        if let text { found.withLock { $0.append(text) } }
    }

    func resize(width: Int, height: Int, isPhone: Bool = false) async throws {
        try await call(
            "Emulation.setDeviceMetricsOverride", ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": isPhone])
    }

    /// Lets the tab's clock go wrong by so much, from the next page on.
    func setClock(aheadByS seconds: Double) async throws {
        let source = """
            { const Real = Date; const ahead = \(seconds * 1000);
              window.Date = class extends Real { constructor(...given) { given.length ? super(...given) : super(Real.now() + ahead); }
                static now() { return Real.now() + ahead; } }; }
            """
        try await call("Page.addScriptToEvaluateOnNewDocument", ["source": source])
    }

    /// Hides the tab from its viewer, or shows it again, as far as the page can tell.
    func setHidden(_ isHidden: Bool) async throws {
        try await value(
            "Object.defineProperty(document, 'hidden', {configurable: true, get: () => \(isHidden)}); document.dispatchEvent(new Event('visibilitychange'))"
        )
    }

    /// Goes to `url` and waits until its scripts ran.
    func open(_ url: String) async throws {
        try await call("Page.navigate", ["url": url])
        try await wait("document.readyState === 'complete' && location.href !== 'about:blank'")
    }

    /// The value of a JavaScript expression, a promise's once it is kept.
    @discardableResult
    func value(_ expression: String) async throws -> JSONValue {
        let result = try await call("Runtime.evaluate", ["expression": expression, "returnByValue": true, "awaitPromise": true])
        if let thrown = result["exceptionDetails"]["exception"]["description"].string {
            throw Chromium.Failure(description: thrown)
        }
        return result["result"]["value"]
    }

    func text(_ selector: String) async throws -> String {
        try await value("document.querySelector(\(Self.quoted(selector)))?.textContent ?? ''").string ?? ""
    }

    func count(_ selector: String) async throws -> Int {
        Int(try await value("document.querySelectorAll(\(Self.quoted(selector))).length").double ?? 0)
    }

    /// Waits until `condition` holds in the page.
    func wait(_ condition: String, timeout: Double = 15, _ location: SourceLocation = #_sourceLocation) async throws {
        let isMet = await eventually(timeout: timeout) { (try? await value("Boolean(\(condition))").bool) == true }
        guard !isMet else { return }
        let said = try await text("main").prefix(600)
        Issue.record("the page never came to: \(condition); it says: \(said); \(problems)", sourceLocation: location)
        throw Chromium.Failure(description: condition)
    }

    /// Presses a key as a person does.
    func press(_ key: String, shift: Bool = false) async throws {
        let codes = ["Tab": 9, "Enter": 13, " ": 32, "ArrowDown": 40, "ArrowRight": 39, "Escape": 27]
        var event: [String: Any] = ["key": key, "windowsVirtualKeyCode": codes[key] ?? 0, "modifiers": shift ? 8 : 0]
        if key == "Enter" { event["text"] = "\r" }
        if key == " " { event["text"] = " " }
        try await call("Input.dispatchKeyEvent", event.merging(["type": "keyDown"]) { $1 })
        try await call("Input.dispatchKeyEvent", event.merging(["type": "keyUp"]) { $1 })
    }

    /// Types into what has the focus.
    func type(_ text: String) async throws { try await call("Input.insertText", ["text": text]) }

    /// Clicks into the middle of an element.
    func click(_ selector: String) async throws {
        let at = try await value(
            "(() => { const e = document.querySelector(\(Self.quoted(selector))); e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        let place: [String: Any] = ["x": at[0].double ?? 0, "y": at[1].double ?? 0, "button": "left", "clickCount": 1]
        for kind in ["mousePressed", "mouseReleased"] {
            try await call("Input.dispatchMouseEvent", place.merging(["type": kind]) { $1 })
        }
    }

    /// Chooses an option of a list as a person does.
    func choose(_ selector: String, _ option: String) async throws {
        try await value(
            "(() => { const e = document.querySelector(\(Self.quoted(selector))); e.value = \(Self.quoted(option)); e.dispatchEvent(new Event('change', {bubbles: true})); })()"
        )
    }

    /// The page as a PNG.
    func picture() async throws -> Data {
        let shot = try await call("Page.captureScreenshot", ["format": "png"])
        return try #require(Data(base64Encoded: shot["data"].string ?? ""))
    }

    /// Sum of the layout shifts that no input caused, and what moved.
    func layoutShift() async throws -> (sum: Double, who: [String]) {
        let shifts = try await value("window.shifts").items
        return (shifts.compactMap { $0["value"].double }.reduce(0, +), shifts.compactMap { $0["who"].string })
    }

    static func quoted(_ text: String) -> String {
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "''"
    }
}
