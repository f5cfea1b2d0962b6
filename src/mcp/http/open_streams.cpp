#include "mcp/http/open_streams.h"

#include <mutex>
#include <utility>
#include <vector>

namespace phasegate::mcp::http {

struct OpenStreams::Entry {
  std::string last;
  // Guarded by the registry's lock.
  std::shared_ptr<OpenStream> stream;
  std::shared_ptr<void> kept;
  bool over = false;
};

struct OpenStreams::State {
  std::mutex mutex;
  std::vector<std::shared_ptr<Entry>> entries;
  bool closed = false;

  /// False if the stream cannot begin any more.
  [[nodiscard]] bool began(const std::shared_ptr<Entry>& entry,
                           const std::shared_ptr<OpenStream>& stream) {
    const std::lock_guard lock(mutex);
    if (closed || entry->over) return false;
    entry->stream = stream;
    entries.push_back(entry);
    return true;
  }

  void keep(const std::shared_ptr<Entry>& entry, std::shared_ptr<void> kept) {
    const std::lock_guard lock(mutex);
    if (!entry->over) std::swap(entry->kept, kept);
  }

  void ended(const std::shared_ptr<Entry>& entry) {
    std::shared_ptr<OpenStream> stream;
    std::shared_ptr<void> kept;
    const std::lock_guard lock(mutex);
    entry->over = true;
    std::swap(stream, entry->stream);
    std::swap(kept, entry->kept);
    std::erase(entries, entry);
  }
};

OpenStreams::OpenStreams() : state_(std::make_shared<State>()) {}
OpenStreams::~OpenStreams() = default;

Response OpenStreams::response(std::string last, Opened opened) {
  const auto entry = std::make_shared<Entry>();
  entry->last = std::move(last);
  Response response;
  response.open = [state = state_, entry,
                   opened = std::move(opened)](const std::shared_ptr<OpenStream>& stream) {
    if (!state->began(entry, stream)) {
      stream->close(entry->last);
      return;
    }
    state->keep(entry, opened(stream));
  };
  response.gone = [state = state_, entry] { state->ended(entry); };
  return response;
}

void OpenStreams::close() {
  std::vector<std::pair<std::shared_ptr<OpenStream>, std::string>> streams;
  {
    const std::lock_guard lock(state_->mutex);
    state_->closed = true;
    for (const auto& entry : state_->entries) streams.emplace_back(entry->stream, entry->last);
  }
  for (const auto& [stream, last] : streams) stream->close(last);
}

}  // namespace phasegate::mcp::http
