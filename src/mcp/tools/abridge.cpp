#include "mcp/tools/abridge.h"

#include <string>
#include <utility>

#include "base/json.h"
#include "base/json_write.h"
#include "base/text.h"

namespace phasegate::mcp::tools {

using base::Json;

namespace {

/// The value with long texts cut and long lists ended early.
Json with_less(const Json& value, std::size_t text_max, std::size_t items_max) {
  if (value.is_string()) {
    return base::shortened(value.get_ref<const std::string&>(), text_max);
  }
  if (!value.is_structured()) return value;
  Json out = value.is_array() ? Json::array() : Json::object();
  std::size_t count = 0;
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (count++ == items_max) {
      const std::string more = "… " + std::to_string(value.size() - items_max) + " more";
      if (value.is_array()) {
        out.push_back(more);
      } else {
        out[more] = true;
      }
      break;
    }
    if (value.is_array()) {
      out.push_back(with_less(*item, text_max, items_max));
    } else {
      out[item.key()] = with_less(item.value(), text_max, items_max);
    }
  }
  return out;
}

}  // namespace

Json abridged(const Json& value, std::size_t bytes_max, bool& cut) {
  if (base::dump_size(value) <= bytes_max) return value;
  cut = true;
  for (const auto& [text_max, items_max] : {std::pair{200, 20}, std::pair{60, 5}}) {
    Json shorter =
        with_less(value, static_cast<std::size_t>(text_max), static_cast<std::size_t>(items_max));
    if (base::dump_size(shorter) <= bytes_max) return shorter;
  }
  if (!value.is_object()) return base::shortened(base::dump(value), bytes_max);
  std::string names;
  for (const auto& member : value.items()) {
    names += (names.empty() ? "" : ", ") + member.key();
    if (names.size() > bytes_max) break;
  }
  return "fields: " + base::shortened(names, bytes_max);
}

}  // namespace phasegate::mcp::tools
