// Stores of any size, and what an operation costs in them; see README.md beside this.
//
//   bench_scale make DIR --runs N --entries M    a store with N runs and M journal entries
//   bench_scale measure DIR                      what each operation costs in it
//   bench_scale compare SMALL LARGE              the same in both by turns, and the ratios
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include <unistd.h>

#include "bench/scale_measure.h"
#include "bench/scale_store.h"

namespace {

namespace bench = phasegate::bench;
namespace fs = std::filesystem;

constexpr int kRepetitions = 300;
/// An operation may cost so much more in the larger store.
constexpr double kRatioMax = 1.5;

std::int64_t number_from(const char* text) {
  std::int64_t number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stopped, failed] = std::from_chars(text, end, number);
  if (failed != std::errc() || stopped != end) throw std::runtime_error("a number is missing");
  return number;
}

int make(const fs::path& folder, const bench::Size& size) {
  const auto before = std::chrono::steady_clock::now();
  bench::make_store(folder, size, [](std::int64_t runs) {
    std::fprintf(stderr, "%lld runs\r", static_cast<long long>(runs));
  });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  const auto bytes = static_cast<double>(fs::file_size(folder / "state.db"));
  std::printf("%lld runs, %lld entries: %.0f s, %.1f MB, %.0f bytes per run\n",
              static_cast<long long>(size.runs), static_cast<long long>(size.entries), took.count(),
              bytes / 1e6, bytes / static_cast<double>(size.runs));
  return 0;
}

/// Resident kilobytes of this process: two connections and what they keep in memory.
long resident_kb() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  long all = 0;
  long resident = 0;
  const bool read = std::fscanf(file, "%ld %ld", &all, &resident) == 2;
  std::fclose(file);
  return read ? resident * (::sysconf(_SC_PAGESIZE) / 1024) : 0;
}

int measure(const fs::path& folder) {
  const auto all = bench::measure({folder}, kRepetitions);
  std::printf("%-36s %10s %10s\n", "", "p50 us", "p95 us");
  for (const bench::Times& times : all.front()) {
    std::printf("%-36s %10.1f %10.1f\n", times.what.c_str(), times.us(0.5), times.us(0.95));
  }
  std::printf("resident: %ld kB\n", resident_kb());
  return 0;
}

int compare(const fs::path& small, const fs::path& large) {
  const auto all = bench::measure({small, large}, kRepetitions);
  std::printf("%-36s %23s %23s\n", "", "small: p50, p95 us", "large: p50, p95 us");
  for (std::size_t i = 0; i < all.front().size(); ++i) {
    const bench::Times& a = all[0][i];
    const bench::Times& b = all[1][i];
    const double ratio = b.us(0.5) / a.us(0.5);
    std::printf("%-36s %12.1f %10.1f %12.1f %10.1f %7.2f x%s\n", a.what.c_str(), a.us(0.5),
                a.us(0.95), b.us(0.5), b.us(0.95), ratio, ratio > kRatioMax ? "  missed" : "");
  }
  std::printf("resident: %ld kB\n", resident_kb());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string_view mode = argc > 2 ? argv[1] : "";
    if (mode == "make" && argc == 7 && std::string_view(argv[3]) == "--runs" &&
        std::string_view(argv[5]) == "--entries") {
      return make(argv[2], {number_from(argv[4]), number_from(argv[6])});
    }
    if (mode == "measure" && argc == 3) return measure(argv[2]);
    if (mode == "compare" && argc == 4) return compare(argv[2], argv[3]);
    std::fputs("bench_scale: make DIR --runs N --entries M | measure DIR | compare SMALL LARGE\n",
               stderr);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_scale: %s\n", error.what());
    return 1;
  }
}
