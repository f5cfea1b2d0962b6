#pragma once
/// The door of world/: what is really so. Everything that looks at the project's files, processes
/// and networks on a workflow's behalf.
///
/// - project.h   which project a folder belongs to, and where its state lies
/// - target.h    a target as an assistant writes it → a path within the project
#include "world/project.h"
#include "world/target.h"
