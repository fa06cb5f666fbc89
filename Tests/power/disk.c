/* Stands between a process and the disk; to be preloaded.

   What the process does to the files of the folder POWER_FOLDER is done, and appended to the file POWER_LOG: a struct record, the path, the bytes. From
   that, states.py makes what a loss of power could have left at any moment.

   POWER_CONTROL is a file with one struct control, which the test keeps open: it says which of the coming writes and syncs fail. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* Kinds: c created, w written, t cut or extended to `offset`, s synced, d directory synced, u unlinked, r renamed (the bytes are the new path). */
struct record {
    uint32_t kind;
    uint32_t path_length;
    /* Of a sync: how long the log was when it began. What was written later may have missed it. */
    int64_t offset;
    uint64_t length;
};

/* Which calls fail: `count` of them after the next `skip`, on files whose names end in `suffix`. */
struct failing {
    int64_t skip, count, error, seen, failed;
    char suffix[24];
};

struct control {
    struct failing writes, syncs;
};

enum { most_files = 1 << 16 };

static const char *folder;
static size_t folder_length;
static int log_file = -1;
static int64_t log_length;
static struct control *control;
static char *paths[most_files];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_ftruncate)(int, off64_t);
static int (*real_fsync)(int), (*real_fdatasync)(int);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);

__attribute__((constructor)) static void begin(void) {
    if (real_open) return;
    real_open = dlsym(RTLD_NEXT, "open64");
    real_close = dlsym(RTLD_NEXT, "close");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_rename = dlsym(RTLD_NEXT, "rename");
    const char *log = getenv("POWER_LOG"), *control_path = getenv("POWER_CONTROL");
    folder = getenv("POWER_FOLDER");
    if (!folder) return;
    folder_length = strlen(folder);
    if (log) {
        log_file = real_open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        struct stat status;
        if (log_file >= 0 && !fstat(log_file, &status)) log_length = status.st_size;
    }
    if (control_path) {
        int file = real_open(control_path, O_RDWR | O_CLOEXEC);
        if (file < 0) abort();
        void *memory = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory == MAP_FAILED) abort();
        control = memory;
        real_close(file);
    }
}

/* With the lock: the log has the order in which things were done. */
static void append(uint32_t kind, const char *path, int64_t offset, const void *bytes, uint64_t length) {
    if (log_file < 0) return;
    struct record record = {kind, (uint32_t)strlen(path), offset, length};
    struct iovec parts[] = {{&record, sizeof record}, {(void *)path, record.path_length}, {(void *)bytes, bytes ? length : 0}};
    ssize_t written = writev(log_file, parts, 3);
    /* A log with a hole would show states that never were. */
    if (written != (ssize_t)(sizeof record + record.path_length + (bytes ? length : 0))) abort();
    log_length += written;
}

static int is_watched(const char *path) { return folder && !strncmp(path, folder, folder_length); }

static const char *path_of(int file) { return file >= 0 && file < most_files ? paths[file] : NULL; }

/* Whether this call is one of those that fail; errno is set then. */
static int fails(struct failing *failing, const char *path) {
    if (!failing || !path) return 0;
    size_t length = strlen(path), suffix = strnlen(failing->suffix, sizeof failing->suffix);
    if (length < suffix || strncmp(path + length - suffix, failing->suffix, suffix)) return 0;
    failing->seen++;
    if (failing->skip > 0) {
        failing->skip--;
        return 0;
    }
    if (failing->count <= 0) return 0;
    failing->count--;
    failing->failed++;
    errno = (int)failing->error;
    return 1;
}

static int opened(const char *path, int flags, mode_t mode) {
    begin();
    if (!is_watched(path)) return real_open(path, flags, mode);
    pthread_mutex_lock(&lock);
    int is_new = (flags & O_CREAT) && access(path, F_OK);
    int file = real_open(path, flags, mode);
    if (file >= 0 && file < most_files) {
        free(paths[file]);
        paths[file] = strdup(path);
        if (is_new) append('c', path, 0, NULL, 0);
        if (flags & O_TRUNC) append('t', path, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return file;
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return opened(path, flags, mode);
}

int close(int file) {
    begin();
    if (path_of(file)) {
        pthread_mutex_lock(&lock);
        free(paths[file]);
        paths[file] = NULL;
        pthread_mutex_unlock(&lock);
    }
    return real_close(file);
}

static ssize_t written(int file, const char *path, const void *bytes, size_t length, off64_t offset) {
    pthread_mutex_lock(&lock);
    ssize_t result = -1;
    if (!fails(control ? &control->writes : NULL, path)) {
        result = real_pwrite(file, bytes, length, offset);
        if (result > 0) append('w', path, offset, bytes, (uint64_t)result);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    begin();
    const char *path = path_of(file);
    return path ? written(file, path, bytes, length, offset) : real_pwrite(file, bytes, length, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) { return pwrite64(file, bytes, length, offset); }

ssize_t write(int file, const void *bytes, size_t length) {
    begin();
    const char *path = path_of(file);
    if (!path) return real_write(file, bytes, length);
    struct stat status;
    off64_t offset = lseek64(file, 0, SEEK_CUR);
    if ((fcntl(file, F_GETFL) & O_APPEND) && !fstat(file, &status)) offset = status.st_size;
    ssize_t result = written(file, path, bytes, length, offset);
    if (result > 0) lseek64(file, offset + result, SEEK_SET);
    return result;
}

int ftruncate64(int file, off64_t length) {
    begin();
    const char *path = path_of(file);
    if (!path) return real_ftruncate(file, length);
    pthread_mutex_lock(&lock);
    int result = fails(control ? &control->writes : NULL, path) ? -1 : real_ftruncate(file, length);
    if (!result) append('t', path, length, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

static int synced(int file, const char *path, int (*sync)(int)) {
    struct stat status;
    int is_folder = !fstat(file, &status) && S_ISDIR(status.st_mode);
    pthread_mutex_lock(&lock);
    int64_t begun = log_length;
    int must_fail = fails(control ? &control->syncs : NULL, path), error = errno;
    pthread_mutex_unlock(&lock);
    if (must_fail) {
        errno = error;
        return -1;
    }
    /* Others write meanwhile. */
    int result = sync(file);
    if (!result) {
        pthread_mutex_lock(&lock);
        append(is_folder ? 'd' : 's', path, begun, NULL, 0);
        pthread_mutex_unlock(&lock);
    }
    return result;
}

int fsync(int file) {
    begin();
    const char *path = path_of(file);
    return path ? synced(file, path, real_fsync) : real_fsync(file);
}

int fdatasync(int file) {
    begin();
    const char *path = path_of(file);
    return path ? synced(file, path, real_fdatasync) : real_fdatasync(file);
}

int unlink(const char *path) {
    begin();
    if (!is_watched(path)) return real_unlink(path);
    pthread_mutex_lock(&lock);
    int result = real_unlink(path);
    if (!result) append('u', path, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int rename(const char *from, const char *to) {
    begin();
    if (!is_watched(from)) return real_rename(from, to);
    pthread_mutex_lock(&lock);
    int result = real_rename(from, to);
    if (!result) append('r', from, 0, to, strlen(to));
    pthread_mutex_unlock(&lock);
    return result;
}
