// A reference server for OSC: liblo's own, with empty methods. Usage: methods PORT METHODS
// Prints the number of received messages on SIGTERM.
#include <lo/lo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t ended;
static long messages;

static void end(int number) {
    (void)number;
    ended = 1;
}

static int nothing(const char *path, const char *types, lo_arg **values, int count, lo_message message, void *user) {
    (void)path, (void)types, (void)values, (void)count, (void)message, (void)user;
    messages++;
    return 0;
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    struct sigaction action = {.sa_handler = end};
    sigaction(SIGTERM, &action, NULL);
    lo_server server = lo_server_new(arguments[1], NULL);
    if (!server) return 1;
    for (int i = 0; i < atoi(arguments[2]); i++) {
        char path[64];
        snprintf(path, sizeof path, "/listener/%d/gain", i + 1);
        lo_server_add_method(server, path, "f", nothing, NULL);
    }
    printf("ready\n");
    fflush(stdout);
    while (!ended) lo_server_recv_noblock(server, 100);
    printf("%ld\n", messages);
}
