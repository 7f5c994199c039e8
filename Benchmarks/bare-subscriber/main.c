/* The least that a QoS 1 subscriber can do: takes messages off a broker and counts them. What fleet-sync is measured against.
 *
 * usage: bare-subscriber PORT FILTER COUNT
 * Prints "ready" once it is subscribed; after COUNT messages "PROCESSOR_S MEMORY_KIB", and ends.
 */
#include <mosquitto.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static long wanted, received;

static void on_subscribe(struct mosquitto *client, void *context, int id, int count, const int *granted) {
    (void)client, (void)context, (void)id;
    if (count < 1 || granted[0] >= 0x80) exit(1);
    puts("ready");
    fflush(stdout);
}

static void on_message(struct mosquitto *client, void *context, const struct mosquitto_message *message) {
    (void)context, (void)message;
    if (++received == wanted) mosquitto_disconnect(client);
}

/* Not getrusage's maximum: that begins with the memory of the process that started this one. */
static long resident_kib(void) {
    long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm) {
        if (fscanf(statm, "%*d %ld", &pages) != 1) pages = 0;
        fclose(statm);
    }
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char **argv) {
    if (argc != 4) return 64;
    wanted = strtol(argv[3], NULL, 10);
    mosquitto_lib_init();
    struct mosquitto *client = mosquitto_new("bare-subscriber", true, NULL);
    if (!client) return 70;
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_subscribe_callback_set(client, on_subscribe);
    mosquitto_message_callback_set(client, on_message);
    if (mosquitto_connect(client, "127.0.0.1", atoi(argv[1]), 60) != MOSQ_ERR_SUCCESS) return 69;
    if (mosquitto_subscribe(client, NULL, argv[2], 1) != MOSQ_ERR_SUCCESS) return 69;
    while (received < wanted && mosquitto_loop(client, -1, 1) == MOSQ_ERR_SUCCESS) {}
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%.3f %ld\n",
           usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1e-6 * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec), resident_kib());
    mosquitto_destroy(client);
    return received == wanted ? 0 : 69;
}
