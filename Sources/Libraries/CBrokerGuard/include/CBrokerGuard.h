// Reading from a broker that libmosquitto 2.0 does not withstand.
#ifndef CBROKERGUARD_H
#define CBROKERGUARD_H

#include <mosquitto.h>
#include <stdint.h>

// As mosquitto_loop_read for one packet. Where the library would end the program, because a packet has a property that MQTT 5 does
// not know (it logs without a client, which its own assertion forbids), returns MOSQ_ERR_MALFORMED_PACKET. The client then may only
// be destroyed.
int guarded_loop_read(struct mosquitto *client);

// Bytes that a TCP connection has received since its beginning, read or not; 0 when the system does not report it.
uint64_t guarded_bytes_received(int socket);

#endif
