// Loaded into a server: notes each name that is resolved and each address that is connected to, a line each, in the file that SPARRING_CONNECTS names.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

static void note(const char *what, const char *whom) {
    const char *path = getenv("SPARRING_CONNECTS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    fprintf(file, "%s %s\n", what, whom);
    fclose(file);
}

int connect(int descriptor, const struct sockaddr *address, socklen_t size) {
    char text[INET6_ADDRSTRLEN] = "";
    if (address->sa_family == AF_INET) inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, sizeof text);
    if (address->sa_family == AF_INET6) inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr, text, sizeof text);
    if (text[0]) note("connect", text);
    int (*real)(int, const struct sockaddr *, socklen_t) = (int (*)(int, const struct sockaddr *, socklen_t))dlsym(RTLD_NEXT, "connect");
    return real(descriptor, address, size);
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    // Without a look at any resolver: an address as text, as listeners have.
    if (name && !(hints && hints->ai_flags & AI_NUMERICHOST)) note("resolve", name);
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
        (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))dlsym(RTLD_NEXT, "getaddrinfo");
    return real(name, service, hints, found);
}
