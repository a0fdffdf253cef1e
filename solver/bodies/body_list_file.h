/* A text file with bodies, &bodies_list. */
#ifndef KOL_BODIES_BODY_LIST_FILE_H
#define KOL_BODIES_BODY_LIST_FILE_H

#include "body.h"
#include "state/domain.h"

/* body_list_file_read: reads the bodies of bodies_list.file. *list has *count bodies; the caller frees it
 * with free(), also after a fault. Without a file there are none. KOL_ERR_INPUT, with file and line, if a
 * line is wrong. Collective. */
kol_status body_list_file_read(const struct domain *domain, struct body **list, int *count);

#endif
