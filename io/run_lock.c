/* Takes, keeps and drops the lock of a directory. */
#include "run_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "kernels/base/regular_file.h"

enum { PATH_TEXT = 1100, HOST = 128, ATTEMPTS = 5 };
static const char NAME[] = "kolmo.lock";

struct runlock {
    int fd;
    unsigned long beats;
    char path[PATH_TEXT];
};

/* owner: what a lock file says of the run that holds it. */
struct owner {
    unsigned long beats;
    long pid;
    unsigned long long born; /* start of the process in ticks of its host: numbers of processes come again */
    char host[HOST], since[40];
};

static unsigned long long born(long pid)
{
    char path[64], text[1024];
    unsigned long long ticks = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "re");
    if (f == NULL) return 0;
    const size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    const char *at = strrchr(text, ')'); /* the name before it may hold anything */
    for (int field = 2; at != NULL && field < 22; ++field) at = strchr(at + 1, ' ');
    if (at != NULL) ticks = strtoull(at, NULL, 10);
    return ticks;
}

static struct owner myself(void)
{
    struct owner o = {.pid = (long)getpid()};
    const time_t now = time(NULL);
    struct tm utc;
    o.born = born(o.pid);
    if (gethostname(o.host, sizeof o.host - 1) != 0) strcpy(o.host, "unknown");
    gmtime_r(&now, &utc);
    strftime(o.since, sizeof o.since, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return o;
}

static int write_owner(int fd, const struct owner *o)
{
    char text[512];
    const int n = snprintf(text, sizeof text, "beat %012lu\nhost %s\npid %ld\nborn %llu\nsince %s\n",
                           o->beats, o->host, o->pid, o->born, o->since);
    for (int done = 0; done < n;) {
        const ssize_t put = pwrite(fd, text + done, (size_t)(n - done), done);
        if (put < 0 && errno != EINTR) return 0;
        if (put == 0) return errno = ENOSPC, 0;
        if (put > 0) done += (int)put;
    }
    return fsync(fd) == 0;
}

/* Reads a lock file. It returns 0 if the file is gone, or empty because its run has just made it. */
static int read_owner(const char *path, struct owner *o)
{
    memset(o, 0, sizeof *o);
    const char *why;
    FILE *f = regular_file_stream(path, O_RDONLY, "r", &why);
    if (f == NULL) return 0;
    const int n = fscanf(f, "beat %lu host %127s pid %ld born %llu since %39s", &o->beats, o->host, &o->pid,
                         &o->born, o->since);
    fclose(f);
    return n == 5;
}

static int lives_here(const struct owner *o)
{
    if (kill((pid_t)o->pid, 0) != 0 && errno == ESRCH) return 0;
    const unsigned long long now = born(o->pid);
    return now == 0 || o->born == 0 || now == o->born;
}

/* Whether the beats of a run on another host go on. The file is opened again each time, because only then do
 * network file systems read it again. */
static int beats_go_on(const char *path, struct owner first)
{
    for (int second = 0; second < RUN_LOCK_PATIENCE; ++second) {
        struct owner later;
        const struct timespec one = {1, 0};
        nanosleep(&one, NULL);
        if (read_owner(path, &later) && (later.beats != first.beats || later.pid != first.pid)) return 1;
    }
    return 0;
}

/* Tries flock. It returns 1 if the file is now locked, 0 if another process has it, and -1 if the file system
 * has no such locks. */
static int try_flock(int fd)
{
    int rc;
    do rc = flock(fd, LOCK_EX | LOCK_NB);
    while (rc != 0 && errno == EINTR);
    if (rc == 0) return 1;
    return errno == EWOULDBLOCK ? 0 : -1;
}

static kol_status refuse(const char *directory, const struct owner *o)
{
    RAISE(KOL_ERR_IO,
          "directory %s is in use by another run (process %ld on host %s, since %s): two runs would spoil "
          "each other's files; wait for its end, or set output.directory",
          directory, o->pid, o->host[0] != '\0' ? o->host : "unknown",
          o->since[0] != '\0' ? o->since : "unknown");
}

/* Judges a lock file that is there: it is removed if its run is dead; KOL_ERR_IO if the run lives. */
static kol_status judge(const char *directory, const char *path, char *note, size_t size)
{
    struct owner o;
    const struct owner me = myself();
    const char *why;
    const int fd = regular_file_open(path, O_RDWR, &why);
    if (fd < 0 && errno == ENOENT) return KOL_OK; /* gone meanwhile */
    if (fd < 0) RAISE(KOL_ERR_IO, "%s: %s; check its permissions, or remove it", path, why);
    const int locked = try_flock(fd), filled = read_owner(path, &o);
    const int here = strcmp(o.host, me.host) == 0;
    int alive = locked == 0;
    if (locked < 0 && here) alive = lives_here(&o);
    if (locked != 0 && !here && filled) alive = beats_go_on(path, o);
    if (!alive) {
        if (filled)
            snprintf(note, size,
                     "taking over the lock of a run that has ended without a word (process %ld on host %s, "
                     "since %s)",
                     o.pid, o.host, o.since);
        unlink(path);
    }
    close(fd);
    return alive ? refuse(directory, &o) : KOL_OK;
}

/* Makes a lock file and returns its descriptor; -1 if there was one before. */
static kol_status make(struct runlock *l)
{
    const struct owner me = myself();
    l->fd = open(l->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (l->fd < 0 && errno == EEXIST) return KOL_OK;
    if (l->fd < 0)
        RAISE(KOL_ERR_IO, "%s can't be created: %s; check permissions, quota and free space", l->path,
              strerror(errno));
    try_flock(l->fd); /* if the file system has no locks, the text is enough */
    if (write_owner(l->fd, &me)) return KOL_OK;
    const int fault = errno;
    unlink(l->path);
    RAISE(KOL_ERR_IO, "%s can't be written: %s; check free space and quota", l->path, strerror(fault));
}

kol_status run_lock_take(const char *directory, struct runlock **out, char *note, size_t size)
{
    struct runlock *l = calloc(1, sizeof *l);
    kol_status st = KOL_OK;
    *out = NULL;
    note[0] = '\0';
    if (l == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the lock of %s", directory);
    l->fd = -1;
    if (snprintf(l->path, sizeof l->path, "%s/%s", directory, NAME) >= PATH_TEXT)
        st = status_raise(KOL_ERR_INPUT, __FILE__, __LINE__, "output.directory is too long");
    for (int n = 0; n < ATTEMPTS && st == KOL_OK && l->fd < 0; ++n) {
        st = make(l);
        if (st == KOL_OK && l->fd < 0) st = judge(directory, l->path, note, size);
    }
    if (st == KOL_OK && l->fd < 0)
        st = status_raise(KOL_ERR_IO, __FILE__, __LINE__,
                          "the lock %s comes and goes: other runs start in this directory", l->path);
    if (st == KOL_OK) {
        *out = l;
        return KOL_OK;
    }
    if (l->fd >= 0) close(l->fd);
    free(l);
    return st;
}

void run_lock_beat(struct runlock *l)
{
    char text[32];
    const int n = snprintf(text, sizeof text, "beat %012lu\n", ++l->beats);
    if (pwrite(l->fd, text, (size_t)n, 0) == n)
        (void)fsync(l->fd); /* a lost beat does no harm: the next one follows */
}

/* The file is removed first, so that a run which waits for the lock makes a file of its own. */
void run_lock_drop(struct runlock **l)
{
    if (*l == NULL) return;
    unlink((*l)->path);
    close((*l)->fd);
    free(*l);
    *l = NULL;
}
