#include "phases/native/reader.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"
#include "phases/checks/checks_reader.h"
#include "phases/correction/corrections.h"
#include "phases/documents.h"
#include "phases/finding_list.h"
#include "phases/folder_snapshot.h"
#include "phases/lint_checks.h"
#include "phases/loaded_workflow.h"
#include "phases/native/adopted.h"
#include "phases/native/documents.h"
#include "phases/native/input.h"
#include "phases/native/protect.h"
#include "phases/native/steps.h"
#include "phases/native/texts.h"
#include "phases/ownership.h"
#include "phases/text_position.h"

namespace phasegate::phases {
namespace {

namespace fs = std::filesystem;
using Kind = YamlNode::Kind;

constexpr std::string_view kEndings[] = {".yaml", ".yml", ".json"};

/// Reads what the file says about the workflow as a whole.
class NativeReader {
 public:
  NativeReader(const NativeReport& report, NativeTexts& texts, Workflow& workflow)
      : report_(report), texts_(texts), workflow_(workflow) {}

  void read(const YamlNode& root) {
    if (root.kind != Kind::map) {
      report_.wrong_type("the file", "a map with workflow and steps", root,
                         "begin with workflow: " + workflow_.id);
      return;
    }
    report_.refuse_other_keys(root, native_workflow_keys(), "the workflow");
    read_heads(root);
    read_words(root);
    if (const YamlNode* input = root.find("input")) {
      read_native_input(*input, report_, workflow_);
    }
    if (const YamlNode* defaults = root.find("defaults")) read_defaults(*defaults);
    if (const YamlNode* checks = root.find("checks")) {
      workflow_.checks = read_named_checks(*checks, report_).checks;
    }
    if (const YamlNode* protect = root.find("protect")) {
      workflow_.protect = read_native_protect(*protect, report_);
    }
    if (const YamlNode* steps = root.find("steps")) {
      workflow_.phases = read_native_steps(*steps, report_, texts_);
    } else {
      report_.error("missing_key", "the workflow has no steps", "write steps: and a list of them",
                    report_.at(root));
    }
    if (const YamlNode* start = root.find("start")) check_start(*start);
    read_complete_message(root);
  }

 private:
  void read_name(const YamlNode& root) {
    const YamlNode* node = root.find("workflow");
    if (node == nullptr) {
      return report_.error("missing_key", "the file does not say which workflow it is",
                           "write workflow: " + workflow_.id + " at its top", report_.at(root));
    }
    const auto name = report_.text(*node, "workflow");
    if (!name || *name == workflow_.id) return;
    if (!is_workflow_name(*name)) {
      return report_.error(
          "unusable_name",
          base::in_quotes(base::shortened(*name, 80)) + " cannot be the name of a workflow",
          "write workflow: " + workflow_.id, report_.at(*node));
    }
    workflow_.aliases.push_back(*name);
    report_.findings().info("name_differs",
                            "workflow is " + base::in_quotes(base::shortened(*name, 80)) +
                                ", its file or folder is " + base::in_quotes(workflow_.id) +
                                "; the name of the file or folder is the id, the other an alias",
                            "", report_.at(*node));
  }

  void read_heads(const YamlNode& root) {
    read_name(root);
    if (const YamlNode* title = root.find("title")) {
      const auto text = report_.shown_text(*title, "title");
      if (text && !is_blank(*text)) workflow_.title = *text;
    }
    if (const YamlNode* description = root.find("description")) {
      workflow_.description =
          report_.shown_text(*description, "description", base::limits::kWorkflowTextBytesMax)
              .value_or("");
    }
    if (const YamlNode* version = root.find("version")) {
      if (scalar_kind(*version) == ScalarKind::number) {
        workflow_.version = base::shortened(version->scalar, base::limits::kVersionBytesMax);
      } else {
        workflow_.version =
            report_.shown_text(*version, "version", base::limits::kVersionBytesMax).value_or("");
      }
    }
  }

  void read_words(const YamlNode& root) {
    bool later = false;
    if (const YamlNode* dialect = root.find("dialect")) {
      (void)report_.word(*dialect, native_dialects(), "dialect", later);
    }
    if (const YamlNode* outline = root.find("outline")) {
      workflow_.outline = report_.word(*outline, native_outlines(), "outline", later) == "titles";
    }
    if (const YamlNode* passages = root.find("passages")) {
      workflow_.passages_on_refusal =
          report_.word(*passages, native_passages(), "passages", later) == "on_refusal";
    }
  }

  void read_defaults(const YamlNode& node) {
    if (node.is_null()) return;
    if (node.kind != Kind::map) return report_.wrong_type("defaults", "a map", node);
    report_.refuse_other_keys(node, native_defaults_keys(), "defaults");
    const YamlNode* by = node.find("by");
    if (by == nullptr) return;
    const auto performer = report_.text(*by, "by of defaults");
    if (performer && *performer != "assistant") {
      report_.not_supported_yet("defaults: by: " + base::shortened(*performer, 60),
                                report_.at(*by));
    }
  }

  void check_start(const YamlNode& node) {
    if (workflow_.phases.empty()) return;
    std::vector<std::string> ids;
    for (const Phase& phase : workflow_.phases) ids.push_back(phase.id);
    if (node.kind != Kind::scalar) return report_.wrong_type("start", "a step's id", node);
    if (node.scalar == ids.front()) return;
    if (std::find(ids.begin(), ids.end(), node.scalar) != ids.end()) {
      return report_.not_supported_yet("start: " + node.scalar + ", which is not the first step,",
                                       report_.at(node));
    }
    const auto nearest = base::nearest_name(node.scalar, ids);
    report_.error("unknown_step",
                  "start is " + base::in_quotes(base::shortened(node.scalar, 60)) +
                      ", and there is no such step",
                  nearest ? "did you mean " + *nearest + "?" : "", report_.at(node));
  }

  void read_complete_message(const YamlNode& root) {
    workflow_.complete_message = default_complete_message(workflow_);
    const YamlNode* node = root.find("complete_message");
    if (node == nullptr) return;
    const auto text =
        report_.shown_text(*node, "complete_message", base::limits::kWorkflowTextBytesMax);
    if (text && !is_blank(*text)) workflow_.complete_message = *text;
  }

  const NativeReport& report_;
  NativeTexts& texts_;
  Workflow& workflow_;
};

/// Reads the file's text into the model, without documents.
std::vector<InlineText> read_model(const std::string& file_name, std::string_view text,
                                   const FolderSnapshot* folder, const AdoptedBytes& adopted,
                                   Workflow& workflow, FindingList& findings) {
  const bool json = file_name.ends_with(".json");
  const auto root = json ? parse_native_json(text) : parse_native_yaml(text);
  if (!root) {
    const Position at = position_from(root.error().where);
    findings.error(root.error().code, root.error().message, root.error().hint,
                   {file_name, at.line, 0, at.column});
    return {};
  }
  NativeTexts texts(folder);
  if (root->is_null()) {
    findings.error("empty_file", "the file is empty",
                   "write workflow: " + workflow.id + " and steps", {file_name, 1, 0, 1});
    return {};
  }
  const NativeReport report(file_name, findings);
  NativeReader(report, texts, workflow).read(*root);
  check_adoption(read_adoption(*root, report), adopted, findings);
  return texts.take();
}

LoadedWorkflow named(std::string id) {
  LoadedWorkflow loaded;
  loaded.workflow.id = std::move(id);
  loaded.workflow.title = loaded.workflow.id;
  return loaded;
}

void finish(LoadedWorkflow& loaded, FindingList& findings) {
  lint_checks(loaded.workflow, findings);
  loaded.content_hash = content_hash_of(loaded);
  loaded.findings = findings.take_sorted();
}

LoadedWorkflow read_alone(const std::string& file, std::string_view text,
                          const AdoptedBytes& adopted) {
  FindingList findings;
  LoadedWorkflow loaded = named(id_of_file(file));
  auto inline_texts = read_model(file, text, nullptr, adopted, loaded.workflow, findings);
  FolderSnapshot alone;
  alone.files.emplace(file, text);
  loaded.workflow.documents = make_native_documents(std::move(alone), std::move(inline_texts), file,
                                                    loaded.workflow, loaded.blobs, findings);
  finish(loaded, findings);
  return loaded;
}

std::optional<std::string> nothing_beside(const std::string& /*path*/) {
  return std::nullopt;
}

}  // namespace

bool is_native_name(std::string_view file_name) {
  return is_workflow_file_name(file_name) && id_of_file(file_name) == "workflow";
}

bool is_workflow_file_name(std::string_view file_name) {
  if (file_name.starts_with('.') || file_name.ends_with(".schema.json")) return false;
  // `NAME.phasegate.yaml` corrects a document; `phasegate.yaml` alone may be anybody's workflow.
  if (is_corrections_name(file_name)) return false;
  return id_of_file(file_name).size() < file_name.size();
}

std::string id_of_file(std::string_view file_name) {
  for (const std::string_view ending : kEndings) {
    if (!file_name.ends_with(ending)) continue;
    return std::string(file_name.substr(0, file_name.size() - ending.size()));
  }
  return std::string(file_name);
}

LoadedWorkflow read_native_text(std::string_view file_name, std::string_view text) {
  return read_alone(std::string(file_name), text, nothing_beside);
}

LoadedWorkflow read_native_file(const fs::path& file) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(file, failed);
  const fs::path& whole = failed ? file : absolute;
  const std::string name = base::to_utf8(whole.filename().string());
  const auto text = base::read_file_below(whole.parent_path(), whole.filename().string(),
                                          base::limits::kWorkflowFileBytesMax);
  const fs::path folder = whole.parent_path();
  const auto beside = [&folder](const std::string& path) -> std::optional<std::string> {
    auto bytes = base::read_file_below(folder, path, base::limits::kDocumentBytesMax);
    return bytes ? std::optional(*std::move(bytes)) : std::nullopt;
  };
  if (text) return read_alone(name, *text, beside);
  return unreadable_workflow(id_of_file(name), {Severity::error,
                                                "unreadable_file",
                                                text.error().message,
                                                text.error().hint,
                                                {name, 0, 0},
                                                ""});
}

LoadedWorkflow read_native_folder(const fs::path& folder) {
  FindingList findings;
  FolderSnapshot snapshot = take_snapshot(folder, findings);
  LoadedWorkflow loaded = named(workflow_name_of(folder));
  Workflow& workflow = loaded.workflow;
  std::string file = "workflow.yaml";
  for (const std::string_view ending : kEndings) {
    const std::string name = "workflow" + std::string(ending);
    if (snapshot.files.contains(name) || snapshot.unread.contains(name)) file = name;
  }
  std::vector<InlineText> inline_texts;
  std::error_code ignored;
  if (const std::string* text = snapshot.find(file)) {
    const auto beside = [&snapshot](const std::string& path) -> std::optional<std::string> {
      const std::string* bytes = snapshot.find(path);
      return bytes == nullptr ? std::nullopt : std::optional(*bytes);
    };
    inline_texts = read_model(file, *text, &snapshot, beside, workflow, findings);
    check_ownership(workflow, {}, findings);
  } else {
    const auto unread = snapshot.unread.find(file);
    const bool folder_there = fs::is_directory(folder / file, ignored);
    findings.error("unreadable_file",
                   folder_there                      ? file + " is a folder"
                   : unread == snapshot.unread.end() ? "the folder has no " + file
                                                     : unread->second,
                   "put the file itself into the folder", {file, 0, 0});
  }
  const auto links = std::move(snapshot.links);
  workflow.documents = make_native_documents(std::move(snapshot), std::move(inline_texts), file,
                                             workflow, loaded.blobs, findings);
  check_links(links, workflow.documents, findings);
  bind_copies(workflow.documents, workflow, links);
  finish(loaded, findings);
  return loaded;
}

}  // namespace phasegate::phases
