/* libgps, cut down to what the agent asks of it: one TPV report at a time.
 *
 * The layout of gps_data_t differs between the versions of libgps; code that is compiled against the header of the machine, here,
 * takes out the members whose names have stayed since API 9 (gpsd 3.20: times became timespec).
 */
#pragma once
#include <errno.h>
#include <gps.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if GPSD_API_MAJOR_VERSION < 9
#error "libgps of gpsd 3.20 or later is needed"
#endif

/* A TPV report of gpsd. Numbers that it does not state are NAN; time_ms is INT64_MIN then. */
typedef struct fleet_tpv {
    int32_t mode;
    int64_t time_ms; /* since 1970-01-01 UTC */
    double latitude_deg, longitude_deg, altitude_msl_m;
    double speed_mps, track_deg;
    double eps_mps, eph_m, epx_m, epy_m;
    double hdop;
} fleet_tpv;

typedef enum fleet_gps_event {
    FLEET_GPS_LOST = -1, /* the connection is gone */
    FLEET_GPS_OTHER = 0, /* something else than a TPV report, or nothing complete yet */
    FLEET_GPS_TPV = 1
} fleet_gps_event;

/* Connects to gpsd and asks for reports. NULL when that fails, and *problem says why (a text to be copied at once). Blocks while it connects. */
static inline struct gps_data_t *fleet_gps_open(const char *host, const char *port, const char **problem) {
    struct gps_data_t *gps = calloc(1, sizeof *gps);
    *problem = "out of memory";
    if (gps == NULL) return NULL;
    errno = 0;
    if (gps_open(host, port, gps) == 0) {
        if (gps_stream(gps, WATCH_ENABLE | WATCH_JSON, NULL) == 0) return gps;
        *problem = "the connection broke at once";
        gps_close(gps);
    } else {
        /* libgps has codes of its own, below zero; 3.22 says "can't get service entry" for a refused connection. */
        *problem = errno > 0 ? strerror(errno) : "is it running?";
    }
    free(gps);
    return NULL;
}

static inline void fleet_gps_close(struct gps_data_t *gps) {
    gps_close(gps);
    free(gps);
}

/* Waits up to timeout_us for something to read. */
static inline bool fleet_gps_waiting(struct gps_data_t *gps, int32_t timeout_us) { return gps_waiting(gps, timeout_us); }

/* Reads one report; *tpv is set for FLEET_GPS_TPV. */
static inline fleet_gps_event fleet_gps_read(struct gps_data_t *gps, fleet_tpv *tpv) {
    char message[16384];
    message[0] = '\0';
    if (gps_read(gps, message, (int)sizeof message) == -1) return FLEET_GPS_LOST;
    message[sizeof message - 1] = '\0';
    /* The flags in gps->set do not tell a TPV from every other report, its class does. */
    if (strstr(message, "\"class\":\"TPV\"") == NULL) return FLEET_GPS_OTHER;
    const struct gps_fix_t *fix = &gps->fix;
    tpv->mode = fix->mode;
    tpv->time_ms = fix->time.tv_sec > 0 ? (int64_t)fix->time.tv_sec * 1000 + fix->time.tv_nsec / 1000000 : INT64_MIN;
    tpv->latitude_deg = fix->latitude;
    tpv->longitude_deg = fix->longitude;
    tpv->altitude_msl_m = fix->altMSL;
    tpv->speed_mps = fix->speed;
    tpv->track_deg = fix->track;
    tpv->eps_mps = fix->eps;
    tpv->eph_m = fix->eph;
    tpv->epx_m = fix->epx;
    tpv->epy_m = fix->epy;
    tpv->hdop = gps->dop.hdop;
    return FLEET_GPS_TPV;
}
