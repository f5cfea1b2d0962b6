#include "base/wipe.h"

#include <openssl/crypto.h>

namespace phasegate::base {

void wipe(void* bytes, std::size_t count) noexcept {
  OPENSSL_cleanse(bytes, count);
}

}  // namespace phasegate::base
