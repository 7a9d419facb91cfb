import { expect, test } from "bun:test";
import { routedTarget } from "../../src/http/path.ts";

test.each([
  ["/api/packages/ada/chef//api/v1", "/api/packages/ada/chef/api/v1"],
  ["//api//packages/ada/cran/src?x=a//b", "/api/packages/ada/cran/src?x=a//b"],
  ["/v2//ada/img/tags/list", "/v2/ada/img/tags/list"],
  ["/api/packages/ada/generic/a%2F%2Fb", "/api/packages/ada/generic/a%2F%2Fb"],
  ["/ada/engine//src", "/ada/engine//src"],
  ["//evil.example/api/packages/", "//evil.example/api/packages/"],
  ["/api/v1//version", "/api/v1//version"],
])("slashes that clients of registries repeat are one: %s", (sent, routed) => {
  expect(routedTarget(sent)).toBe(routed);
});
