// glibc's own functions of the allocator, which Swift's module of it leaves out.
#include <malloc.h>
