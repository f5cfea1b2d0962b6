#pragma once
/// The door of app/: the program itself. It reads the command line, finds the project and its
/// places, wires the rooms together and prints what they say. Nothing is decided here.
///
/// - environment.h      what the process was given: folders, variables, terminal
/// - settings.h         from options and environment to the project, its store and its workflows
/// - composition.h      the rooms, wired together
/// - secret_prompt.h    how a person at a terminal is asked
/// - confirm_by_approver.h   what only an approver may do, once there is one
/// - cli/invocation.h   the command line as a value
/// - cli/commands.h     one function per command
/// - run.h              main without the process around it
#include "app/composition.h"
#include "app/environment.h"
#include "app/run.h"
#include "app/settings.h"
