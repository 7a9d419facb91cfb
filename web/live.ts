import type { Call } from "../src/http/route.ts";
import type { WebServices } from "./area.ts";

/** Server-sent events of a topic, for as long as the page listens. @throws NotFound when the caller may not see it */
export function eventStream(services: WebServices, call: Call, topic: string): Response {
  call.keepOpen();
  return new Response(services.live.subscribe(topic, call.principal), {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      // Buffering reverse proxies would hold the events back.
      "x-accel-buffering": "no",
    },
  });
}
