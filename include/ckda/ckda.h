/* ckda/ckda.h -- every public header at once. */
#ifndef CKDA_CKDA_H
#define CKDA_CKDA_H
#include "ckda/claim.h"
#include "ckda/construct.h"
#include "ckda/doc.h"
#include "ckda/evidence.h"
#include "ckda/factor.h"
#include "ckda/field.h"
#include "ckda/group.h"
#include "ckda/input.h"
#include "ckda/limits.h"
#include "ckda/mat.h"
#include "ckda/matden.h"
#include "ckda/matmod.h"
#include "ckda/poly.h"
#include "ckda/rand.h"
#include "ckda/reach.h"
#include "ckda/report.h"
#include "ckda/spectrum.h"
#include "ckda/status.h"
#include "ckda/sym.h"
#include "ckda/trans.h"
#endif
