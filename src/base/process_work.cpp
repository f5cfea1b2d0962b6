#include "base/process_work.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/mman.h>
#include <sys/socket.h>

namespace phasegate::base {
namespace {

// Few programs have more to them; a page that is not written to takes no memory.
constexpr std::size_t kUsualBytes = 256U << 10U;
constexpr std::size_t kFiles = 4;

struct alignas(cmsghdr) FilesMessage {
  std::array<char, CMSG_SPACE(kFiles * sizeof(int))> bytes{};
};

std::size_t bytes_of_list(const std::vector<std::string>& texts) {
  std::size_t bytes = sizeof(char*);
  for (const std::string& text : texts) bytes += sizeof(char*) + text.size() + 1;
  return bytes;
}

/// Writes lists of pointers at the workspace's beginning, their texts behind all lists.
class Writer {
 public:
  Writer(void* lists, std::size_t pointers)
      : list_(static_cast<char**>(lists)), text_(reinterpret_cast<char*>(list_ + pointers)) {}

  char** list(const std::vector<std::string>& texts) {
    char** const begin = list_;
    for (const std::string& text : texts) {
      *list_++ = text_;
      std::memcpy(text_, text.c_str(), text.size() + 1);
      text_ += text.size() + 1;
    }
    *list_++ = nullptr;
    return begin;
  }

 private:
  char** list_;
  char* text_;
};

}  // namespace

Workspace::Workspace(Workspace&& other) noexcept
    : start_(std::exchange(other.start_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Workspace::~Workspace() {
  if (start_ != nullptr) ::munmap(start_, bytes_);
}

std::optional<Workspace> Workspace::with_room_for(std::size_t bytes) {
  Workspace space;
  bytes = std::max(bytes, kUsualBytes);
  void* const start =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return std::nullopt;
  space.start_ = start;
  space.bytes_ = bytes;
  return space;
}

std::size_t Workspace::bytes_of(const WorkTexts& texts) {
  return bytes_of_list(texts.candidates) + bytes_of_list(texts.argv) +
         bytes_of_list(texts.environment);
}

GuardWork Workspace::lay_out(const WorkTexts& texts) const {
  Writer writer(start_, texts.candidates.size() + texts.argv.size() + texts.environment.size() + 3);
  GuardWork work;
  work.candidates = writer.list(texts.candidates);
  work.argv = writer.list(texts.argv);
  work.environment = writer.list(texts.environment);
  return work;
}

void Workspace::keep_from_forks() const {
  ::madvise(start_, bytes_, MADV_DONTFORK);
}

bool send_work(int channel, const GuardWork& work, const WorkFiles& files) {
  iovec content{const_cast<GuardWork*>(&work), sizeof work};
  FilesMessage room;
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes.data();
  message.msg_controllen = room.bytes.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(kFiles * sizeof(int));
  const std::array<int, kFiles> sent{files.folder, files.input, files.output, files.error};
  std::memcpy(CMSG_DATA(header), sent.data(), sizeof sent);
  ssize_t done = 0;
  do {
    done = ::sendmsg(channel, &message, MSG_NOSIGNAL);
  } while (done < 0 && errno == EINTR);
  return done == static_cast<ssize_t>(sizeof work);
}

bool receive_work(int channel, GuardWork& work, WorkFiles& files) {
  iovec content{&work, sizeof work};
  FilesMessage room;
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes.data();
  message.msg_controllen = room.bytes.size();
  ssize_t got = 0;
  do {
    got = ::recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (got != static_cast<ssize_t>(sizeof work) || header == nullptr ||
      header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(kFiles * sizeof(int)) ||
      (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
    return false;
  }
  std::array<int, kFiles> received{};
  std::memcpy(received.data(), CMSG_DATA(header), sizeof received);
  files = {received[0], received[1], received[2], received[3]};
  return true;
}

}  // namespace phasegate::base
