#define _GNU_SOURCE
#include "bench.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// The functions below replace those of the C library and count.
static _Thread_local unsigned long count;
static int (*lock_mutex)(pthread_mutex_t *);
static int (*try_lock)(pthread_mutex_t *);
static int (*read_lock)(pthread_rwlock_t *);
static int (*write_lock)(pthread_rwlock_t *);

// Looked up before main(), while there is one thread; the loader itself needs none of the four.
__attribute__((constructor)) static void find(void) {
    lock_mutex = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    try_lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_trylock");
    read_lock = (int (*)(pthread_rwlock_t *))dlsym(RTLD_NEXT, "pthread_rwlock_rdlock");
    write_lock = (int (*)(pthread_rwlock_t *))dlsym(RTLD_NEXT, "pthread_rwlock_wrlock");
}

int pthread_mutex_lock(pthread_mutex_t *lock) {
    count++;
    if (!lock_mutex) find();
    return lock_mutex(lock);
}

int pthread_mutex_trylock(pthread_mutex_t *lock) {
    count++;
    if (!try_lock) find();
    return try_lock(lock);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    count++;
    if (!read_lock) find();
    return read_lock(lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    count++;
    if (!write_lock) find();
    return write_lock(lock);
}

unsigned long bench_locks(void) { return count; }
