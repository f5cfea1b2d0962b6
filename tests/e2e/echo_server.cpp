// The protocol alone: three tools without meaning behind the real transport. Shows that what an
// end-to-end test finds is the protocol's doing and not the product's.
#include "mcp/protocol/stdio.h"
#include "tests/mcp/fake_server.h"
#include "tests/mcp/fake_tools.h"

int main() {
  phasegate::test::FakeTools tools;
  phasegate::test::FakeServer fake(tools);
  return phasegate::mcp::protocol::serve_stdio(fake.server, "ada", 0, 1);
}
