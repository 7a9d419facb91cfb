import type { Call } from "../src/http/route.ts";
import type { WebServices } from "./area.ts";

/** What is published on a topic, as server-sent events, for as long as the page listens. @throws NotFound not for them */
export function eventStream(services: WebServices, call: Call, topic: string): Response {
  call.keepOpen();
  return new Response(services.live.subscribe(topic, call.principal), {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      // Reverse proxies that collect answers would hold the events back.
      "x-accel-buffering": "no",
    },
  });
}
