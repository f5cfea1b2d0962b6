#include "phases/dynamic_config.h"

#include <string_view>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "phases/metadata_reader.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

using base::Json;

constexpr const char* kConfig = "/dynamic_config";

class ConfigReader {
 public:
  ConfigReader(const base::JsonWithLines& metadata, FindingList& findings)
      : metadata_(metadata), findings_(findings) {}

  std::optional<DynamicConfig> read() {
    const Json* config = base::find_member(metadata_.document, "dynamic_config");
    if (config == nullptr) return std::nullopt;
    if (!config->is_object()) return wrong_type(kConfig, "an object", *config), std::nullopt;
    if (base::find_member(*config, "source_type") == nullptr) {
      return not_understood(kConfig, "it names no source_type"), std::nullopt;
    }
    if (!is_known(*config, "source_type", "spec_tasks_md") ||
        !is_known(*config, "parser", "spec_tasks_parser")) {
      return std::nullopt;
    }
    DynamicConfig got;
    got.line = metadata_.line_of(kConfig);
    got.input = text(*config, kConfig, "source_path_key");
    if (got.input.empty()) got.input = "spec_path";
    if (!is_plain_name(got.input) || got.input == "target_file") {
      not_understood(
          "/dynamic_config/source_path_key",
          base::in_quotes(base::shortened(got.input, 80)) + " cannot be the name of an input");
      return std::nullopt;
    }
    if (const Json* templates = base::find_member(*config, "templates")) {
      const std::string pointer = std::string(kConfig) + "/templates";
      if (!templates->is_object()) {
        return wrong_type(pointer, "an object", *templates), std::nullopt;
      }
      got.phase_template = text(*templates, pointer, "phase");
      got.task_template = text(*templates, pointer, "task");
      got.templates_line = metadata_.line_of(pointer);
    }
    return got;
  }

 private:
  [[nodiscard]] Source at(const std::string& pointer) const {
    return {std::string(kMetadataFile), metadata_.line_of(pointer), 0};
  }

  void wrong_type(const std::string& pointer, std::string_view wanted, const Json& got) {
    findings_.error("invalid_metadata",
                    base::in_quotes(pointer) + " must be " + std::string(wanted) + ", got " +
                        std::string(base::json_type_name(got)) + " " +
                        base::shortened(base::dump(got), 60),
                    "", at(pointer));
  }

  void not_understood(const std::string& pointer, const std::string& why) {
    findings_.warning("unknown_dynamic_config",
                      "the phases that are not known in advance cannot be had: " + why +
                          "; a run waits where they begin",
                      R"(write "dynamic_config": {"source_type": "spec_tasks_md", )"
                      R"("source_path_key": "spec_path"})",
                      at(pointer));
  }

  /// A member that has this value, or is not there.
  bool is_known(const Json& config, const char* name, std::string_view known) {
    const Json* value = base::find_member(config, name);
    if (value == nullptr || (value->is_string() && value->get<std::string>() == known)) return true;
    not_understood(std::string(kConfig) + "/" + name, "its " + std::string(name) + " is " +
                                                          base::shortened(base::dump(*value), 60) +
                                                          ", known is " + base::in_quotes(known));
    return false;
  }

  std::string text(const Json& object, const std::string& pointer, const char* name) {
    const Json* value = base::find_member(object, name);
    if (value == nullptr || value->is_null()) return {};
    if (value->is_string()) return value->get<std::string>();
    wrong_type(pointer + "/" + name, "a string", *value);
    return {};
  }

  const base::JsonWithLines& metadata_;
  FindingList& findings_;
};

}  // namespace

std::optional<DynamicConfig> read_dynamic_config(const base::JsonWithLines& metadata,
                                                 FindingList& findings) {
  return ConfigReader(metadata, findings).read();
}

}  // namespace phasegate::phases
