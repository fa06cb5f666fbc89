// What of the kernel's interfaces is not in Glibc's module.
#ifndef SPARRING_CLINUX_SHIM_H
#define SPARRING_CLINUX_SHIM_H

#include <sys/epoll.h>
#include <sys/eventfd.h>

#endif
