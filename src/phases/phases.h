#pragma once
/// The door of phases/: what a workflow is. Definitions as plain values with line numbers, and the
/// readers that make them from files. No database, no runs.
///
/// - workflow.h            the model: Workflow, Phase, Gate, Requirement, Task, Document, Finding
/// - workflow_json.h       the model as it is stored with a run
/// - folder_reader.h       a workflow folder (metadata.json, phases/N/…) → LoadedWorkflow
/// - native/reader.h       a native file, or a folder with workflow.yaml → LoadedWorkflow
/// - document_workflow.h   a document NAME.md that is a workflow by itself → LoadedWorkflow
/// - plain_folder.h        a folder whose names say its phases, without metadata → LoadedWorkflow
/// - workflow_reader.h     any of them, by what lies at a path
/// - builtin.h             the workflows that the program carries
/// - requirement_reader.h  a phase's text → what its gate requires
/// - library.h             finds workflows in several places and notices changes
#include "phases/builtin.h"
#include "phases/document_workflow.h"
#include "phases/folder_reader.h"
#include "phases/library.h"
#include "phases/native/reader.h"
#include "phases/plain_folder.h"
#include "phases/requirement_reader.h"
#include "phases/workflow.h"
#include "phases/workflow_json.h"
#include "phases/workflow_reader.h"
