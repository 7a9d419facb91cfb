const MEDIA: Readonly<Record<string, "image" | "video" | "audio" | "pdf">> = {
  png: "image",
  jpg: "image",
  jpeg: "image",
  gif: "image",
  webp: "image",
  avif: "image",
  bmp: "image",
  ico: "image",
  svg: "image",
  mp4: "video",
  webm: "video",
  ogv: "video",
  mov: "video",
  mp3: "audio",
  ogg: "audio",
  oga: "audio",
  opus: "audio",
  wav: "audio",
  flac: "audio",
  m4a: "audio",
  pdf: "pdf",
};

/** How a browser can show a binary file, by its name. */
export function mediaKind(path: string): "image" | "video" | "audio" | "pdf" | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(MEDIA, extension) ? MEDIA[extension] : undefined;
}
