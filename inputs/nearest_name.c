/* Finds the known name that is nearest to a misspelt one, for "did you mean". */
#include "nearest_name.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Edit distance with exchanged neighbours as one edit (optimal string alignment), case ignored. */
static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 64 };
    int row[3][LONGEST + 1]; /* of i - 2, i - 1 and i, in turn */
    const int na = (int)strnlen(a, LONGEST), nb = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= nb; ++j) row[0][j] = j;
    for (int i = 1; i <= na; ++i) {
        const int ca = tolower((unsigned char)a[i - 1]);
        int *now = row[i % 3];
        const int *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= nb; ++j) {
            const int cb = tolower((unsigned char)b[j - 1]);
            now[j] = least(last[j - 1] + (ca != cb), least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
                cb == tolower((unsigned char)a[i - 2]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[na % 3][nb];
}

/* The score of a guess: its distance, or -1 if it has too little in common with what was written: more than
 * one edit, and more than one in three letters of the longer word. An abbreviation counts as near. */
static int nearness(const char *known, const char *written)
{
    const int distance = edit_distance(known, written);
    const int longest = (int)(strlen(known) > strlen(written) ? strlen(known) : strlen(written));
    if (written[0] && strncasecmp(known, written, strlen(written)) == 0) return least(distance, 2);
    return distance <= 1 || 3 * distance <= longest ? distance : -1;
}

/* Other codes' words for groups of ours, which the spelling would not find. */
static const char *group_meant(const char *written)
{
    static const char *const words[][2] = {
        {"bc", "boundary"},        {"bcs", "boundary"},     {"walls", "boundary"},
        {"inlet", "boundary"},     {"inflow", "boundary"},  {"outflow", "boundary"},
        {"force", "forcing"},      {"forces", "forcing"},   {"coriolis", "forcing"},
        {"rotation", "forcing"},   {"mesh", "grid"},        {"domain", "grid"},
        {"box", "grid"},           {"stats", "statistics"}, {"averages", "statistics"},
        {"cross", "slices"},       {"planes", "slices"},    {"column", "probes"},
        {"probesparam", "probes"}, {"monitor", "probes"},   {"io", "output"},
        {"inoutparam", "output"},  {"dump", "output"},      {"fields", "output"},
        {"restart", "checkpoint"}, {"general", "run"},      {"control", "run"},
        {"physics", "fluid"},      {"viscosity", "fluid"},  {"numerics", "time"},
        {"numoptions", "time"},    {"poisson", "pressure"}, {"solver", "pressure"},
        {"gpu", "device"},         {"cuda", "device"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strcasecmp(words[i][0], written) == 0) return words[i][1];
    return written;
}

const char *group_instead(const char *group)
{
    static const char subgrid[] = "Kolmo resolves all scales and has no subgrid or wall model",
                      scalars[] = "Kolmo has the groups scalars, for temperatures and other scalars without "
                                  "reactions, and buoyancy",
                      bodies[] = "Kolmo has the group bodies for solids in the flow",
                      ranks[] = "Kolmo has grid.ranks for the layout of the ranks, and device.transport",
                      several[] = "Kolmo has run, grid, fluid, boundary, forcing, initial and time for it",
                      schemes[] = "Kolmo has one discretisation in space, and time.scheme and time.diffusion",
                      sponge[] = "Kolmo has no sponge; boundary.x_high = 'outflow' lets the flow leave";
    static const char *const words[][2] = {
        {"les", subgrid},       {"sgs", subgrid},         {"subgrid", subgrid},     {"lesmodel", subgrid},
        {"wallmodel", subgrid}, {"smagorinsky", subgrid}, {"turbulence", subgrid},  {"rans", subgrid},
        {"species", scalars},   {"scalar", scalars},      {"scalarparam", scalars}, {"temperature", scalars},
        {"thermo", scalars},    {"gravity", scalars},     {"passive", scalars},     {"combustion", scalars},
        {"chemistry", scalars}, {"radiation", scalars},   {"ibm", bodies},          {"ibmstuff", bodies},
        {"immersed", bodies},   {"body", bodies},         {"solid", bodies},        {"mpi", ranks},
        {"cudecomp", ranks},    {"parallel", ranks},      {"master", ranks},        {"decomposition", ranks},
        {"dns", several},       {"basicparam", several},  {"problemtype", several}, {"velocity", several},
        {"advec", schemes},     {"diff", schemes},        {"advection", schemes},   {"convection", schemes},
        {"diffusion", schemes}, {"buffer", sponge},       {"sponge", sponge}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strcasecmp(words[i][0], group) == 0) return words[i][1];
    return NULL;
}

int nearest_group(const struct variable *table, int count, const char *written)
{
    const char *group = group_meant(written);
    int best = -1, best_score = 0;
    for (int i = 0; i < count; ++i) {
        const int score = nearness(table[i].group, group);
        if (score >= 0 && (best < 0 || score < best_score)) best = i, best_score = score;
    }
    return best;
}

int nearest_variable(const struct variable *table, int count, const char *group, const char *name)
{
    int best = -1, best_score = 0;
    for (int i = 0; i < count; ++i) {
        if (strcasecmp(table[i].group, group) != 0) continue;
        const int score = nearness(table[i].name, name);
        if (score >= 0 && (best < 0 || score < best_score)) best = i, best_score = score;
    }
    return best;
}

int differs_by_last_letter(const char *known, const char *written)
{
    enum { SHORTEST = 4 };
    const size_t a = strlen(known), b = strlen(written), common = a < b ? a : b;
    return common >= SHORTEST && (a > b ? a - b : b - a) == 1 && strncasecmp(known, written, common) == 0;
}

/* Words of other codes for these conditions, for which the spelling would suggest a wrong one. */
static const char *meant(const char *written)
{
    static const char *const words[][2] = {{"noslip", "wall"},    {"no-slip", "wall"},  {"no_slip", "wall"},
                                           {"free-slip", "slip"}, {"freeslip", "slip"}, {"free_slip", "slip"},
                                           {"symmetry", "slip"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strcasecmp(words[i][0], written) == 0) return words[i][1];
    return written;
}

int nearest_choice(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; ++i)
        if (strcmp(names[i], meant(name)) == 0) return i;
    int best = -1, best_score = 0;
    for (int i = 0; names[i]; ++i) {
        const int score = nearness(names[i], name);
        if (score >= 0 && (best < 0 || score < best_score)) best = i, best_score = score;
    }
    return best;
}
