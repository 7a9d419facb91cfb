/** A form of fields and files; what has no file name is sent without one. */
export function aForm(parts: readonly { name: string; file?: string; content: string | Uint8Array }[]) {
  const boundary = "a-boundary-of-parts";
  const body = Buffer.concat([
    ...parts.flatMap(({ content, file, name }) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`),
      Buffer.from(`${file === undefined ? "" : `; filename="${file}"`}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from("\r\n"),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { body, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
}
