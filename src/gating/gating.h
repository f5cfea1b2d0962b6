#pragma once
/// The door of gating/: what may happen next. Pure: no clock, no randomness, no files.
///
/// - transition.h   command + state → next state, journal, effects, reply
/// - run.h          the state of a run
/// - definition.h   a workflow with its compiled gates
/// - evidence.h     what a gate makes of evidence; evidence_schema.h, evidence_example.h: what it
/// asks for
/// - secrets.h      evidence of which only a digest is kept
/// - expression.h   the language of conditions (expression_*.h are its inside); templates.h:
/// `{{path}}` in parameters; scope_paths.h: what names stand for
/// - check_gate.h   the checks of a gate, compiled; check_uses.h, check_names.h: what they may read
/// - json_schema.h  the closed subset of JSON Schema behind it
/// - visibility.h   what an assistant may be shown
#include "gating/check_gate.h"
#include "gating/definition.h"
#include "gating/evidence.h"
#include "gating/evidence_example.h"
#include "gating/evidence_schema.h"
#include "gating/expression.h"
#include "gating/json_schema.h"
#include "gating/run.h"
#include "gating/transition.h"
#include "gating/visibility.h"
