// valgrind writes to the set of signals that sigsuspend(2) is given; libdispatch has it in read-only memory. Here it is given a copy.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *set) {
    sigset_t copy = *set;
    return (int)syscall(SYS_rt_sigsuspend, &copy, 8);
}
