/**
 * A public key as text (RFC 9580, section 6): base64 in lines, and the checksum that older programs expect.
 * @param headers lines before the key, each with its name
 */
export function armoredKey(block: Uint8Array, headers: readonly string[] = []): string {
  const lines = (
    Buffer.from(block)
      .toString("base64")
      .match(/.{1,64}/g) ?? []
  ).join("\n");
  const sum = crc24(block);
  const check = Buffer.from([sum >> 16, (sum >> 8) & 0xff, sum & 0xff]).toString("base64");
  const head = headers.map((header) => `${header}\n`).join("");
  return `-----BEGIN PGP PUBLIC KEY BLOCK-----\n${head}\n${lines}\n=${check}\n-----END PGP PUBLIC KEY BLOCK-----\n`;
}

function crc24(data: Uint8Array): number {
  let crc = 0xb704ce;
  for (const byte of data) {
    crc ^= byte << 16;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x800000 ? (crc << 1) ^ 0x1864cfb : crc << 1;
  }
  return crc & 0xffffff;
}
