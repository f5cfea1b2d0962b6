#include "world/checks/environment.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include <unistd.h>

namespace phasegate::world::checks {
namespace {

/// A list of what may pass, not of what may not: a variable that nobody thought of stays here. None
/// of these decides what code is run beside PATH and the homes of tools, without which nothing
/// would build; LD_*, GIT_*, BASH_ENV, NODE_OPTIONS, PYTHONSTARTUP and the like are not among them.
constexpr std::array kPassing = std::to_array<std::string_view>({
    "ANDROID_HOME",
    "ASDF_DATA_DIR",
    "BUNDLE_PATH",
    "BUN_INSTALL",
    "CARGO_HOME",
    "CCACHE_DIR",
    "COMPOSER_HOME",
    "CONAN_HOME",
    "CONDA_PREFIX",
    "COREPACK_HOME",
    "COURSIER_CACHE",
    "DENO_DIR",
    "DOTNET_ROOT",
    "FNM_DIR",
    "GEM_HOME",
    "GEM_PATH",
    "GOCACHE",
    "GOMODCACHE",
    "GOPATH",
    "GOROOT",
    "GRADLE_HOME",
    "HOME",
    "JAVA_HOME",
    "LANG",
    "LANGUAGE",
    "LOGNAME",
    "M2_HOME",
    "MAVEN_HOME",
    "MIX_HOME",
    "NIX_SSL_CERT_FILE",
    "NUGET_PACKAGES",
    "NVM_DIR",
    "PATH",
    "PIPENV_VENV_IN_PROJECT",
    "PNPM_HOME",
    "POETRY_HOME",
    "PUB_CACHE",
    "PYENV_ROOT",
    "RBENV_ROOT",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "SCCACHE_DIR",
    "SDKMAN_DIR",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "STACK_ROOT",
    "TMPDIR",
    "TZ",
    "USER",
    "UV_CACHE_DIR",
    "VCPKG_ROOT",
    "VIRTUAL_ENV",
    "VOLTA_HOME",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
});

/// Nobody is there to answer: programs are told so in the ways that they listen to. CI also keeps
/// test runners from writing the snapshots that they are to compare with.
constexpr std::array kSet = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"CI", "true"},
    {"GIT_TERMINAL_PROMPT", "0"},
    {"PHASEGATE_CHECK", "1"},
    {"TERM", "dumb"},
});

/// Of one login, or of one start of the machine: gone when a remembered value is used.
constexpr std::array kOfTheMoment = std::to_array<std::string_view>({"TMPDIR", "XDG_RUNTIME_DIR"});

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

bool of_the_moment(std::string_view variable) {
  return std::find(kOfTheMoment.begin(), kOfTheMoment.end(), name_of(variable)) !=
         kOfTheMoment.end();
}

bool always_set(std::string_view variable) {
  return std::any_of(kSet.begin(), kSet.end(),
                     [&](const auto& one) { return one.first == name_of(variable); });
}

bool passes(std::string_view name) {
  return name.starts_with("LC_") ||
         std::find(kPassing.begin(), kPassing.end(), name) != kPassing.end();
}

}  // namespace

std::vector<std::string> filtered(const std::vector<std::string>& environment) {
  std::map<std::string_view, std::string_view> kept;
  for (const std::string& variable : environment) {
    const std::size_t equals = variable.find('=');
    if (equals == std::string::npos) continue;
    const std::string_view name = std::string_view(variable).substr(0, equals);
    if (passes(name)) kept.emplace(name, std::string_view(variable).substr(equals + 1));
  }
  for (const auto& [name, value] : kSet) kept[name] = value;
  std::vector<std::string> result;
  result.reserve(kept.size());
  for (const auto& [name, value] : kept) {
    result.push_back(std::string(name) + "=" + std::string(value));
  }
  return result;
}

std::vector<std::string> lasting(const std::vector<std::string>& environment) {
  std::vector<std::string> kept;
  std::copy_if(environment.begin(), environment.end(), std::back_inserter(kept),
               [](const std::string& one) { return !of_the_moment(one) && !always_set(one); });
  return kept;
}

std::vector<std::string> with_the_moment(const std::vector<std::string>& remembered,
                                         const std::vector<std::string>& now) {
  std::vector<std::string> all = lasting(remembered);
  std::copy_if(now.begin(), now.end(), std::back_inserter(all), of_the_moment);
  return filtered(all);
}

std::vector<std::string> filtered_environment() {
  std::vector<std::string> all;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    all.emplace_back(*variable);
  }
  return filtered(all);
}

}  // namespace phasegate::world::checks
