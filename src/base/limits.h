#pragma once
#include <cstddef>
#include <cstdint>

/// Every bound of the program, in one place and by name. Exceeding one is an error with a message
/// that names the limit; each has a test. Sizes are in bytes, times in milliseconds.
namespace phasegate::base::limits {

// What a client sends.
inline constexpr std::size_t kMessageBytesMax = 16U << 20U;  ///< one JSON-RPC line
inline constexpr std::size_t kMessageDepthMax = 64;          ///< nesting of one message
inline constexpr std::size_t kMessagesQueuedMax = 1024;      ///< read, not yet answered; one batch
inline constexpr std::size_t kQueuedBytesMax = 16U << 20U;   ///< of them together
inline constexpr std::int64_t kStopGraceMs =
    500;  ///< after a signal: for a client that reads slowly
inline constexpr std::size_t kEvidenceBytesMax = 1U << 20U;  ///< evidence of one submission
inline constexpr std::size_t kEvidenceDepthMax = 32;         ///< nesting of evidence
inline constexpr std::size_t kOptionsBytesMax = 64U << 10U;  ///< options and input of a start
inline constexpr std::size_t kTargetBytesMax = 1024;         ///< target_file
inline constexpr std::size_t kReasonBytesMax = 4096;         ///< a reason given by a person

inline constexpr std::int64_t kInputWaitMs = 45'000;  ///< a legacy call waits for a person's answer
inline constexpr std::int64_t kRequestStateMs = 15 * 60'000;      ///< a requestState is good for
inline constexpr std::size_t kRequestStateBytesMax = 16U << 10U;  ///< of a requestState
inline constexpr std::size_t kSubscriptionsMax = 256;  ///< resources that one listener watches
inline constexpr std::size_t kUriBytesMax = 2048;      ///< of a resource
inline constexpr std::size_t kCompletionsMax = 100;    ///< values of one completion
inline constexpr std::size_t kCallsAtOnceMax = 32;     ///< calls that wait, over stdio

// What comes over HTTP.
inline constexpr std::size_t kHttpConnectionsMax = 512;       ///< at once, streams included
inline constexpr std::size_t kHttpStreamsMax = 256;           ///< open streams of all clients
inline constexpr std::size_t kHttpStreamsPerClientMax = 256;  ///< of one address
inline constexpr std::size_t kHttpHeadBytesMax = 64U << 10U;  ///< request line and headers
inline constexpr std::size_t kHttpHeadersMax = 100;           ///< header fields
inline constexpr std::size_t kHttpBodyBytesMax = 4U << 20U;   ///< of a request
inline constexpr std::size_t kHttpRequestsPerConnection = 10'000;
inline constexpr std::int64_t kHttpHeadMs = 10'000;       ///< for a whole head to arrive
inline constexpr std::int64_t kHttpBodyMs = 60'000;       ///< for a whole body
inline constexpr std::int64_t kHttpIdleMs = 30'000;       ///< between two requests
inline constexpr std::int64_t kHttpWriteMs = 10'000;      ///< for a client that does not read
inline constexpr std::int64_t kHttpHeartbeatMs = 15'000;  ///< on a silent stream
inline constexpr std::int64_t kHttpStopWriteMs = 250;     ///< likewise, once the server stops
inline constexpr std::int64_t kHttpLingerMs = 2'000;      ///< a refused client may read its answer
inline constexpr std::size_t kHttpLingerBytesMax = 64U << 20U;  ///< and be heard out meanwhile
inline constexpr std::size_t kHttpLingersMax = 128;             ///< of such clients at once
inline constexpr std::int64_t kHttpThreadIdleMs = 10'000;  ///< a thread without work, then it ends
inline constexpr std::int64_t kHttpPatienceMs = 50;  ///< a thread waits for the next request itself
inline constexpr std::size_t kHttpStreamBytesMax = 1U << 20U;  ///< unread, of an open stream
inline constexpr std::size_t kHttpSessionsMax = 1000;          ///< legacy sessions; oldest ends
inline constexpr std::int64_t kHttpSessionIdleMs = 24 * 3'600'000;  ///< then one ends
inline constexpr double kHttpRequestsPerSecond = 2000;              ///< of one principal
inline constexpr double kHttpBurstSeconds = 2;            ///< so many seconds' worth at once
inline constexpr std::size_t kHttpWrongTokensMax = 20;    ///< of one address, then …
inline constexpr double kHttpWrongTokensPerSecond = 0.5;  ///< … so many
inline constexpr std::size_t kHttpAddressesMax = 4096;    ///< whose wrong tokens are counted
inline constexpr std::size_t kTokensFileBytesMax = 256U << 10U;
inline constexpr std::size_t kTokensMax = 1000;
inline constexpr std::size_t kTokenBytesMin = 32;
inline constexpr std::size_t kTokenBytesMax = 1024;
inline constexpr std::size_t kTokenNameBytesMax = 64;

inline constexpr std::size_t kDesksMax = 8;  ///< engines at work at once, in `serve`
inline constexpr std::int64_t kChangesLookMs =
    1000;  ///< between two looks for changes that somebody wants to be told

// What a workflow's folder holds.
inline constexpr std::size_t kDocumentBytesMax = 4U << 20U;  ///< one file of a workflow
inline constexpr std::size_t kMarkdownBytesMax = 64U
                                                 << 20U;  ///< one text that is parsed as markdown
inline constexpr std::size_t kTableColumnsMax = 64;       ///< of a table in markdown
inline constexpr std::size_t kGateFileBytesMax = 256U << 10U;    ///< one gate-definition.yaml
inline constexpr std::size_t kWorkflowFileBytesMax = 1U << 20U;  ///< one native workflow file
inline constexpr std::size_t kYamlNodesMax = 100'000;            ///< values in it, aliases included
inline constexpr std::size_t kYamlExpandedBytesMax = 4U << 20U;  ///< texts in it, likewise
inline constexpr std::size_t kWorkflowFilesMax = 4096;           ///< files in one folder
inline constexpr std::size_t kWorkflowBytesMax = 64U << 20U;     ///< all of them together
inline constexpr std::size_t kWorkflowsMax = 1024;               ///< folders in all places together
inline constexpr std::size_t kFolderDepthMax = 8;                ///< folders within folders
inline constexpr std::size_t kDocumentDepthMax = 64;             ///< nesting of JSON and YAML in it
inline constexpr std::size_t kPhasesMax = 1000;                  ///< phases of one workflow
inline constexpr std::size_t kPhaseIdBytesMax = 64;              ///< a phase's or step's id
inline constexpr std::size_t kInputsMax = 64;                    ///< inputs that a workflow names
inline constexpr std::size_t kTasksPerPhaseMax = 1000;
inline constexpr std::size_t kRequirementsPerGateMax = 64;  ///< they stand on one page
inline constexpr std::size_t kGateBytesMax = 8000;  ///< its schema and example, as they are sent
inline constexpr std::size_t kTitleBytesMax =
    300;  ///< of a phase's title or purpose, a task's name
inline constexpr std::size_t kVersionBytesMax = 100;        ///< of a workflow
inline constexpr std::size_t kWorkflowTextBytesMax = 2000;  ///< its description or complete_message
inline constexpr std::size_t kDescriptionCharsMax = 300;    ///< of a requirement, when published
inline constexpr std::size_t kRequirementNameCharsMax = 60;  ///< of a name derived from a sentence
inline constexpr std::size_t kExampleBytesMax = 4096;        ///< of a requirement, as JSON
inline constexpr std::size_t kPatternBytesMax = 1024;        ///< a regular expression
inline constexpr std::size_t kFindingsMax = 1000;            ///< kept per workflow

// What checks may ask and take.
inline constexpr std::size_t kChecksPerGateMax = 64;
inline constexpr std::size_t kCheckBytesMax = 64U << 10U;  ///< parameters of one check, as JSON
inline constexpr std::size_t kExpressionBytesMax = 4096;   ///< text of an expression
inline constexpr std::size_t kExpressionDepthMax = 64;
inline constexpr std::size_t kExpressionStepsMax = 10'000;  ///< of one evaluation
inline constexpr std::size_t kFilledBytesMax = 64U << 10U;  ///< a text after `{{…}}` is expanded
inline constexpr std::int64_t kCheckMs = 600'000;           ///< a check without a timeout
inline constexpr std::int64_t kCheckMsMax = 86'400'000;
inline constexpr std::int64_t kStopCheckMs = 200;  ///< between asking and killing
inline constexpr std::size_t kCheckOutputBytesMax = 1U
                                                    << 20U;  ///< of a program, without output_max
inline constexpr std::size_t kCheckOutputBytesMost = 64U << 20U;
inline constexpr std::size_t kOutputTailBytesMax = 2000;  ///< of it kept with a result
inline constexpr std::size_t kCheckedFileBytesMax = 64U
                                                    << 20U;  ///< a file that a check reads whole
inline constexpr std::size_t kCheckedFilesMax = 100'000;     ///< files that one check looks through
inline constexpr std::size_t kReportBytesMax = 64U << 20U;   ///< JUnit and coverage
inline constexpr std::size_t kProjectFileBytesMax = 256U << 10U;  ///< .phasegate/project.yaml
inline constexpr std::int64_t kVerifyWaitMs = 45'000;             ///< a call waits for checks
inline constexpr std::int64_t kEffectLeaseMs = 30'000;            ///< of who carries out an effect
inline constexpr std::int64_t kEffectHeartbeatMs = 5'000;

// Telling people.
inline constexpr std::int64_t kNotifyMsMax = 20'000;  ///< one try to tell one target
/// Longer than a try: what it takes to be sure that nobody is at it any more.
inline constexpr std::int64_t kNotifyLeaseMs = 60'000;
inline constexpr std::size_t kNotifyFileBytesMax = 64U << 10U;
inline constexpr std::size_t kNotifySecretBytesMax = 4096;
inline constexpr std::size_t kNotifyTargetsMax = 32;

// What people are asked.
inline constexpr std::size_t kDecisionOptionsMax = 16;
inline constexpr std::size_t kDecisionPromptBytesMax = 2000;
inline constexpr std::size_t kDecisionInputBytesMax = 8000;   ///< what a person says with a choice
inline constexpr std::size_t kDecisionShowMax = 32;           ///< values that they are shown
inline constexpr int kVisitsMax = 1000;                       ///< entries into one phase
inline constexpr std::int64_t kStalledAfterMs = 30 * 60'000;  ///< an open run without a change

// What an answer holds.
inline constexpr std::size_t kPageBytesMax = 10U << 10U;      ///< one representation of one page
inline constexpr std::size_t kListItemsMax = 50;              ///< rows of one page of a list
inline constexpr std::size_t kResourceBytesMax = 64U << 10U;  ///< of a resource, which has no pages
inline constexpr std::int64_t kListFreshMs = 10'000;    ///< a client may keep a list of workflows
inline constexpr std::size_t kRunsCompletedMax = 1000;  ///< looked through for one completion
inline constexpr std::size_t kArtifactBytesShownMax = 2048;  ///< earlier artifacts in one answer
inline constexpr std::size_t kProblemsShownMax = 50;         ///< fields named in one refusal

// What is searched.
inline constexpr std::size_t kSearchFoldersMax = 64;             ///< that a project names
inline constexpr std::size_t kSearchFolderDepthMax = 32;         ///< folders within folders
inline constexpr std::size_t kSearchFilesMax = 200'000;          ///< of one index
inline constexpr std::size_t kSearchFileBytesMax = 4U << 20U;    ///< a larger file is left out
inline constexpr std::size_t kIgnoreFileBytesMax = 256U << 10U;  ///< one .gitignore
inline constexpr std::size_t kQueryBytesMax = 256U << 10U;
inline constexpr std::size_t kQueryTermsMax = 64;  ///< words of a query that count; rarest first
inline constexpr std::size_t kQueryPhrasesMax = 8;
inline constexpr std::size_t kSearchResultsDefault = 5;
inline constexpr std::size_t kSearchResultsMax = 20;    ///< of one answer
inline constexpr std::size_t kSearchRankedMax = 1000;   ///< that its cursors lead to
inline constexpr std::size_t kPassageBytesMost = 6000;  ///< a fence or table that is not divided
inline constexpr std::size_t kSearchTagsMax = 32;       ///< of one file, and of one filter
inline constexpr std::int64_t kSearchSettleMs = 30;     ///< without an event, then files are read
inline constexpr std::int64_t kSearchSettleMostMs = 1000;  ///< of events without a pause
inline constexpr std::int64_t kSearchLookMs = 30'000;      ///< between two looks at all files
inline constexpr std::int64_t kSearchFirstWaitMs = 5000;   ///< the first query waits for the index
inline constexpr std::size_t kSessionTextBytesMax = 8U << 20U;  ///< reached text that is searched

// What the server holds.
inline constexpr std::size_t kDefinitionsCachedMax = 64;       ///< parsed definitions in memory
inline constexpr std::int64_t kStoreBusyMs = 5000;             ///< wait for another process's write
inline constexpr std::int64_t kStoreLogBytesKept = 4LL << 20;  ///< write-ahead log kept on disk
inline constexpr std::size_t kTokensForgottenAtOnce =
    64;  ///< used tokens past their time, when one is added
inline constexpr std::size_t kCursorBytesMax = 256;  ///< a cursor that a client hands back
inline constexpr std::size_t kDamagedShownMax = 50;  ///< damaged runs that a report names
inline constexpr std::size_t kBackupsMax = 100;      ///< backups of one schema version

// What the world around a project holds.
inline constexpr std::size_t kGitFileBytesMax = 4096;  ///< .git, HEAD or commondir

}  // namespace phasegate::base::limits
