#pragma once
/// The door of phases/: what a workflow is. Definitions as plain values with line numbers, and the
/// readers that make them from files. No database, no runs.
///
/// - workflow.h            the model: Workflow, Phase, Gate, Requirement, Task, Document, Finding
/// - workflow_json.h       the model as it is stored with a run
/// - folder_reader.h       a workflow folder (metadata.json, phases/N/…) → LoadedWorkflow
/// - requirement_reader.h  a phase's text → what its gate requires
/// - library.h             finds workflows in several places and notices changes
#include "phases/folder_reader.h"
#include "phases/library.h"
#include "phases/requirement_reader.h"
#include "phases/workflow.h"
#include "phases/workflow_json.h"
