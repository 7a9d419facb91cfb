import { createServer } from "node:net";

/** Below those that Linux gives to outgoing connections, which other tests make at the same time. */
const [FIRST, LAST] = [10_000, 32_000];

/** A port of 127.0.0.1 that no one has; someone else may take it before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
