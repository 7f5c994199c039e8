# mosquitto from Debian, with the configuration that scripts/compose-init writes mounted at /etc/fleet.
FROM debian:bookworm-slim
RUN apt-get update -q \
    && apt-get install -y -q --no-install-recommends mosquitto \
    && rm -rf /var/lib/apt/lists/*
USER 7001:7001
CMD ["mosquitto", "-c", "/etc/fleet/mosquitto.conf"]
