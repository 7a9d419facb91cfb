import type { Attack, Target } from "../attack.ts";

const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`,
});

/** How long somebody elsewhere waits for a sign-in, in milliseconds. */
async function signIn({ ask, stranger }: Target): Promise<number> {
  const began = performance.now();
  const answer = await ask("/api/v1/user", {
    from: "198.51.100.20",
    headers: basic(stranger.login, "not the password"),
  });
  if (![401, 429].includes(answer.status)) throw new Error(`a sign-in was answered ${answer.status}`);
  return performance.now() - began;
}

export const passwordAttacks: readonly Attack[] = [
  {
    name: "400 sign-ins with invented names whose connections close",
    run: async (target) => {
      const calm = await signIn(target);
      const gone = new AbortController();
      const flood = Array.from({ length: 400 }, (_, at) =>
        fetch(`${target.url}/api/v1/user`, {
          headers: { ...basic(`nobody${at}`, "x"), "x-forwarded-for": "203.0.113.9" },
          signal: gone.signal,
        }).catch(() => {}),
      );
      await Bun.sleep(100);
      gone.abort();
      await Promise.all(flood);
      const waited = await signIn(target);
      if (waited > calm * 5 + 2000) throw new Error(`the next sign-in waited ${Math.round(waited)} ms`);
    },
  },
];
