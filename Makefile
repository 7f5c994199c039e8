# fleet-safety. `make` alone tells the targets; docs/development.md tells more.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup build check format test test-long demo bench bench-peer bench-pipeline bench-warnings bench-ingest bench-view check-api chaos models eval eval-signs install uninstall clean

PREFIX ?= /usr/local
export PREFIX DESTDIR SYSCONFDIR

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

setup: ## Debian packages and the OpenVINO runtime (root or sudo)
	@scripts/setup

build: setup ## the programs, optimised, into .build/release
	@scripts/build release

check: setup ## formatting, shell scripts, and a build in which every import is declared and every warning is an error
	@scripts/check

format: ## lay out all Swift files
	@swift format --in-place --parallel --configuration .swift-format --recursive Package.swift Sources Tests $(wildcard Benchmarks)

test: setup ## unit, integration and replay tests (25 minutes at most after the build)
	@scripts/test

test-long: setup ## the same and the long ones
	@scripts/test --long

check-api: build ## hold a running fleet-sync against its OpenAPI description (fetches schemathesis from PyPI)
	@scripts/check-api

demo: build ## a drive from camera to alert list on this machine (DEMO_ONCE=1: ends by itself)
	@scripts/demo

bench: build ## how fast the vision chain is here
	@scripts/bench

bench-peer: build ## the vision chain against a Python script with opencv-python that does the same (NanoDet-m; needs ../shared or MODEL=F.onnx)
	@scripts/bench-peer $(if $(MODEL),--model $(MODEL))

bench-pipeline: build ## frame to alert in the outbox, and cores of the whole agent, live at 720p and 30 frames a second
	@scripts/bench-pipeline

bench-warnings: build ## collision warnings on simulated drives, judged by the truth (RUNS=50; FROM=boxes|pictures)
	@.build/release/warning-bench $(or $(FROM),boxes) --runs $(or $(RUNS),50)

bench-ingest: build ## how much fleet-sync takes in, against a bare C subscriber, and how soon an alert is seen (STORE=sqlite|postgres)
	@.build/release/delivery-bench ingest --store $(or $(STORE),sqlite)
	@.build/release/delivery-bench latency --log-level warning

bench-view: build ## how soon the fleet view is there with a million alerts and a thousand vehicles, and an alert on it
	@scripts/bench-view

chaos: build ## kill every part at random, count what is lost (SEED=1 ALERTS=10000 KILLS=100 STORE=sqlite|postgres)
	@.build/release/fleet-chaos matrix --seed $(or $(SEED),1) --alerts $(or $(ALERTS),10000) --kills $(or $(KILLS),100) --store $(or $(STORE),sqlite)

eval-signs: build ## the sign reader on every crop that was held out (needs ../shared and the training's Python packages)
	@training/sign_reader/evaluate-program

models: ## trains the embedded models again (hours; training/README.md)
	@scripts/models

eval: build ## how well the embedded models do on labelled recordings
	@scripts/eval

install: ## programs, models, units and examples into PREFIX (default /usr/local), under DESTDIR
	@scripts/install

uninstall: ## takes away what `make install` put there; configuration and data stay
	@scripts/install --remove

clean: ## takes away what was built; the packages and .tools stay
	@rm -rf .build
