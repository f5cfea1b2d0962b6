#pragma once
#include <string_view>

/// What must not be read to an assistant out of the index because somebody forgot it among the
/// documents. A safety net, no proof: it knows common names and forms.
namespace phasegate::rag {

/// True for names that secrets are kept under: `.env`, `*.pem`, `id_rsa`, `credentials.json`.
/// Never for a document in a markup language, which may well be about them: its text decides.
[[nodiscard]] bool has_secret_name(std::string_view path);

/// True for a text with a private key, or with a token of a well-known form, or that consists
/// mostly of `KEY=value` lines with a password among them. What is plainly an example
/// (`AKIAIOSFODNN7EXAMPLE`, `ghp_xxxx…`, `PASSWORD=<yours>`) is none. Linear.
[[nodiscard]] bool holds_secret(std::string_view text);

/// True for a text with a field such as `password: Zk93…` or `"api_key": "…"` whose value has both
/// letters and digits, as one that nobody made up for an example. For texts that are no documents
/// in a markup language, where such a line explains something. Linear.
[[nodiscard]] bool holds_secret_field(std::string_view text);

/// `.md`, `.markdown`, `.mdx`, `.rst`, `.adoc`, in any case of letters.
[[nodiscard]] bool is_markup(std::string_view path);

}  // namespace phasegate::rag
