// Sends /listener/N/gain f at an even rate: sender PORT MESSAGES RATE ADDRESSES
// Every message has a new value. Prints the achieved rate.
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

int main(int count, char **arguments) {
    if (count < 5) return 2;
    long messages = atol(arguments[2]), addresses = atol(arguments[4]);
    double rate = atof(arguments[3]);
    int handle = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(handle, (struct sockaddr *)&address, sizeof address) != 0) return 1;
    uint64_t begin = now();
    for (long i = 0; i < messages; i++) {
        while ((double)(now() - begin) * 1e-9 * rate < (double)i) {}
        char packet[64] = {0};
        int length = snprintf(packet, sizeof packet, "/listener/%ld/gain", i % addresses + 1);
        length = (length + 4) & ~3;
        memcpy(packet + length, ",f\0", 4);
        float value = -(float)(i / addresses % 600) * 0.1f;
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        bits = htonl(bits);
        memcpy(packet + length + 4, &bits, sizeof bits);
        if (send(handle, packet, (size_t)length + 8, 0) < 0) i--;
    }
    printf("%.0f\n", (double)messages / ((double)(now() - begin) * 1e-9));
}
