/* Tells what ran in which stream: with EMULATOR_TIMELINE=PREFIX each process writes PREFIX.RANK.PID.tsv, in
 * the form of tests/gpu/timeline.cpp, whose reader is so held against streams that the code really gives
 * its work to. Times are those of this processor. */
#include "emulator.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <map>
#include <string>

static struct {
    bool asked;
    FILE *file;
    long long lines;
    std::map<cudaStream_t, int> number;
} timeline;

static void finish(void)
{
    fprintf(timeline.file, "# end\t%lld\tmissing\t0\n", timeline.lines);
    fclose(timeline.file);
}

static void begin(void)
{
    const char *const prefix = getenv("EMULATOR_TIMELINE"), *const rank = getenv("OMPI_COMM_WORLD_RANK");
    timeline.asked = true;
    if (prefix == NULL) return;
    const std::string path =
        std::string(prefix) + "." + (rank != NULL ? rank : "0") + "." + std::to_string(getpid()) + ".tsv";
    timeline.file = fopen(path.c_str(), "w");
    if (timeline.file == NULL) {
        fprintf(stderr, "emulator: EMULATOR_TIMELINE: can't write %s\n", path.c_str());
        exit(2);
    }
    fprintf(timeline.file, "start\tend\tdevice\tstream\tbytes\tblocks\tname\n");
    atexit(finish);
}

unsigned long long timeline_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (unsigned long long)t.tv_sec * 1000000000 + (unsigned long long)t.tv_nsec;
}

/* "void f(int) [with T = double; bool B = true]" as "void f<double, true>(int)". */
static std::string readable(const std::string &name)
{
    const size_t with = name.find(" [with "), head = name.find('(');
    if (with == std::string::npos || head == std::string::npos) return name;
    std::string given;
    for (size_t at = name.find(" = ", with); at != std::string::npos; at = name.find(" = ", at + 1)) {
        const size_t end = name.find_first_of(";]", at);
        given += (given.empty() ? "" : ", ") + name.substr(at + 3, end - at - 3);
    }
    return name.substr(0, head) + "<" + given + ">" + name.substr(head, with - head);
}

void timeline_note(unsigned long long start, cudaStream_t stream, size_t bytes, size_t blocks,
                   const char *name)
{
    if (!timeline.asked) begin();
    if (timeline.file == NULL) return;
    const int number = timeline.number.emplace(stream, (int)timeline.number.size()).first->second;
    fprintf(timeline.file, "%llu\t%llu\t%d\t%d\t%zu\t%zu\t%s\n", start, timeline_now(), gpu_in_use(), number,
            bytes, blocks, readable(name).c_str());
    ++timeline.lines;
}
