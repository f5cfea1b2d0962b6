#pragma once
#include <optional>
#include <string_view>

#include "base/descriptor.h"

/// The files between us and a program that we run; all of them close themselves when a program is
/// started, none is one of the three standard files, and none (or nullopt) leaves errno set.
namespace phasegate::base {

/// `fd`, or a copy of it with a number from 3 on, should it be a standard file's.
[[nodiscard]] Descriptor owned(int fd);

struct Pair {
  Descriptor ours;
  Descriptor theirs;
};
/// For what a program prints; our end never blocks.
[[nodiscard]] std::optional<Pair> output_pipe();
/// For messages to and from the guard.
[[nodiscard]] std::optional<Pair> guard_channel();
/// A program's standard input.
[[nodiscard]] Descriptor input_file(std::string_view input);

}  // namespace phasegate::base
