#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// How a guard gets its work. Texts lie in memory that the server and the guard share, at the same
/// address in both: the guard, which may not allocate, finds them ready for execve. The message
/// holds only where they are, and the program's files.
namespace phasegate::base {

/// What a program is started with.
struct WorkTexts {
  std::vector<std::string> candidates;  ///< files to try in this order
  const std::vector<std::string>& argv;
  const std::vector<std::string>& environment;
};

/// The same in a workspace; each list ends with a null pointer.
struct GuardWork {
  const char* const* candidates = nullptr;
  char* const* argv = nullptr;
  char* const* environment = nullptr;
};

/// What else a program is started with, by descriptor.
struct WorkFiles {
  int folder = -1;  ///< working folder
  int input = -1;   ///< the three standard files
  int output = -1;  //
  int error = -1;   //
};

/// Memory that a guard shares with the server that has forked it.
class Workspace {
 public:
  Workspace() = default;
  Workspace(Workspace&& other) noexcept;
  Workspace& operator=(Workspace&&) = delete;
  ~Workspace();

  /// At least `bytes` of it; nullopt leaves errno set.
  [[nodiscard]] static std::optional<Workspace> with_room_for(std::size_t bytes);
  /// What `texts` take.
  [[nodiscard]] static std::size_t bytes_of(const WorkTexts& texts);

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// Overwrites what was there. There must be room: bytes_of(texts) ≤ bytes(). O(length).
  [[nodiscard]] GuardWork lay_out(const WorkTexts& texts) const;
  /// Processes that are forked from now on do not get it.
  void keep_from_forks() const;

 private:
  void* start_ = nullptr;
  std::size_t bytes_ = 0;
};

/// False if the guard is not there any more, and has not and will not read it.
[[nodiscard]] bool send_work(int channel, const GuardWork& work, const WorkFiles& files);

/// The guard's side: waits for work. False if none will come, or if what came is no work. The
/// files close themselves when a program is started. Safe in a signal handler, does not allocate.
[[nodiscard]] bool receive_work(int channel, GuardWork& work, WorkFiles& files);

}  // namespace phasegate::base
