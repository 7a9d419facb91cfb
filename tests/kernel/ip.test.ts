import { describe, expect, test } from "bun:test";
import {
  formatIp,
  isExternalIp,
  isInRange,
  isLoopbackIp,
  isPrivateIp,
  parseIp,
  parseIpRange,
} from "../../src/kernel/ip.ts";

const ip = (text: string) => parseIp(text)!;

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::", "::"],
  ["::1", "::1"],
  ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
  ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"],
  ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
  ["fe80::1:2", "fe80::1:2"],
  ["::ffff:10.1.2.3", "10.1.2.3"],
  ["::ffff:a01:203", "10.1.2.3"],
  ["64:ff9b::192.0.2.33", "64:ff9b::c000:221"],
])("%s is the address %s", (text, written) => {
  expect(formatIp(ip(text))).toBe(written);
  expect(ip(written)).toEqual(ip(text));
});

test.each([
  ..."127.1 0177.0.0.1 0x7f.0.0.1 2130706433 1.2.3 1.2.3.4.5 256.1.1.1 1.2.3.04 1.2.3. .1.2.3".split(" "),
  ...["", " ", " 1.2.3.4", "1.2.3.4 ", "１.2.3.4", "localhost", "1.2.3.4:80", "[::1]", ":", ":::", "::1::", "1::2::3"],
  ...[
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::",
    "12345::",
    "g::",
    "::1.2.3",
    "1.2.3.4::",
    "fe80::1%eth0",
  ],
])("%p is no address", (text) => {
  expect(parseIp(text)).toBeUndefined();
});

test.each([
  ["10.0.0.0/8", "10.255.0.1", true],
  ["10.9.9.9/8", "10.0.0.1", true],
  ["10.0.0.0/8", "11.0.0.0", false],
  ["10.0.0.1", "10.0.0.1", true],
  ["10.0.0.1", "10.0.0.2", false],
  ["0.0.0.0/0", "255.1.2.3", true],
  ["0.0.0.0/0", "::1", false],
  ["::/0", "1.2.3.4", false],
  ["fd00::/8", "fdff::1", true],
  ["fd00::/8", "fe00::1", false],
  ["::ffff:10.0.0.0/104", "10.1.2.3", true],
])("in %s is %s: %p", (range, address, expected) => {
  expect(isInRange(ip(address), parseIpRange(range)!)).toBe(expected);
});

test.each("10.0.0.0/33 10.0.0.0/-1 10.0.0.0/08 10.0.0.0/ 10.0.0.0/8/8 ::/129 10/8 x/8 ::ffff:10.0.0.0/8 /8".split(" "))(
  "%s is no range",
  (text) => {
    expect(parseIpRange(text)).toBeUndefined();
  },
);

describe("where a host is", () => {
  const kinds = (text: string) =>
    [
      isLoopbackIp(ip(text)) ? "loopback" : "",
      isPrivateIp(ip(text)) ? "private" : "",
      isExternalIp(ip(text)) ? "external" : "",
    ].join("");
  test.each([
    ["loopback", "127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1"],
    ["private", "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 fd12::1 ::ffff:192.168.0.1"],
    ["external", "8.8.8.8 172.32.0.1 172.15.0.1 100.63.0.1 100.128.0.1 169.253.0.1 2606:4700::1 2a01::1 2001:200::1"],
    [
      "",
      "0.0.0.0 0.1.2.3 100.64.0.1 169.254.169.254 168.63.129.16 192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1 198.19.0.1",
    ],
    ["", "198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255"],
    ["", ":: ::127.0.0.1 ::ffff:169.254.169.254 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:10::1 2001:20::1"],
    ["", "2001:db8::1 2002:7f00:1::1 fe80::1 febf::1 fec0::1 ff02::1 4000::1 ::ffff:0:127.0.0.1"],
  ])("%s: %s", (kind, addresses) => {
    expect(addresses.split(" ").map((text) => [text, kinds(text)])).toEqual(
      addresses.split(" ").map((text) => [text, kind]),
    );
  });
});
