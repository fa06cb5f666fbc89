// glibc's own functions of the allocator, which Swift's module of it leaves out.
#include <malloc.h>

// Bytes that the allocator holds and nobody uses. In Swift, `mallinfo2()` is an empty struct of that name, not the function.
static inline size_t malloc_spare(void) { return mallinfo2().fordblks; }
