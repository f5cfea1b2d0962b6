#pragma once
/// The door of base/: the few things that every room needs, and nothing that only one of them
/// needs.
///
/// - result.h   a value or an Error that says what to do next
/// - json.h     parsing with limits, dumping, typed readers: the only place that parses JSON
/// - json_write.h   for answers that are written often: in place, and sizes without text
/// - limits.h   every bound of the program by name
/// - log.h      diagnostics on standard error, escaped
/// - clock.h    time as UTC milliseconds, handed in and never read from inside a decision
/// - ids.h      random identifiers
/// - hash.h     SHA-256
/// - paths.h    reading files without leaving a root
/// - globs.h    patterns of paths, and which paths they take
/// - text.h     nearest names, UTF-8, numbers
#include "base/clock.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/json_fwd.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/paths.h"
#include "base/result.h"
#include "base/text.h"
