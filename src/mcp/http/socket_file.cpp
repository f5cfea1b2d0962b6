#include "mcp/http/socket_file.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace phasegate::mcp::http {
namespace {

base::Error file_error(const std::string& path, int error) {
  const bool refused = error == EACCES || error == EPERM;
  return {refused ? "not_permitted" : "cannot_listen",
          "Cannot listen on unix:" + path + ": " + std::string(std::strerror(error)) + ".",
          error == ENOENT ? "Make its folder first." : "", ""};
}

/// Locks the folder of a path until the descriptor is closed.
base::Descriptor lock_folder(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  base::Descriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.open() && ::flock(lock.get(), LOCK_EX) != 0) lock.reset();
  return lock;
}

sockaddr_un to_sockaddr(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  path.copy(name.sun_path, sizeof name.sun_path - 1);
  return name;
}

base::Descriptor new_socket() {
  return base::Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

/// Removes what is in the way if it may be removed; otherwise says why not.
std::optional<base::Error> clear_way(const std::string& path) {
  struct stat about{};
  if (::lstat(path.c_str(), &about) != 0) {
    if (errno == ENOENT) return std::nullopt;
    return file_error(path, errno);
  }
  if (!S_ISSOCK(about.st_mode)) {
    return base::Error{"cannot_listen", "unix:" + path + " is a file that is no socket.",
                       "Choose another path, or remove the file.", ""};
  }
  const base::Descriptor probe = new_socket();
  const sockaddr_un name = to_sockaddr(path);
  if (!probe.open()) return file_error(path, errno);
  if (::connect(probe.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0 ||
      errno == EAGAIN) {
    return base::Error{"address_in_use", "Another program listens on unix:" + path + ".",
                       "Stop it, or choose another path.", ""};
  }
  if (errno != ECONNREFUSED) return file_error(path, errno);
  if (::unlink(path.c_str()) != 0) return file_error(path, errno);
  return std::nullopt;
}

}  // namespace

base::Result<base::Descriptor> SocketFile::bind(const Address& address, int backlog) {
  const std::string& path = address.path;
  const base::Descriptor lock = lock_folder(path);
  if (!lock.open()) return file_error(path, errno);
  if (auto error = clear_way(path)) return *std::move(error);
  base::Descriptor socket = new_socket();
  const sockaddr_un name = to_sockaddr(path);
  struct stat about{};
  // The mode of the socket becomes the mode of its file: nobody else can connect at any moment.
  const bool ready =
      socket.open() && ::fchmod(socket.get(), S_IRUSR | S_IWUSR) == 0 &&
      ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0 &&
      ::lstat(path.c_str(), &about) == 0 && ::listen(socket.get(), backlog) == 0;
  if (!ready) return file_error(path, errno);
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    ::unlink(path.c_str());
    return base::Error{"cannot_listen", "unix:" + path + " would be open to other users.",
                       "Choose a folder on a local file system.", ""};
  }
  path_ = path;
  device_ = about.st_dev;
  inode_ = about.st_ino;
  return socket;
}

void SocketFile::remove() {
  if (path_.empty()) return;
  const base::Descriptor lock = lock_folder(path_);
  struct stat about{};
  if (::lstat(path_.c_str(), &about) == 0 && about.st_dev == device_ && about.st_ino == inode_) {
    ::unlink(path_.c_str());
  }
  path_.clear();
}

}  // namespace phasegate::mcp::http
