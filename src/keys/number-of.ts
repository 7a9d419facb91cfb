import { type Call, param } from "../http/route.ts";
import { NotFound } from "../kernel/errors.ts";

/** The id of a key in the path. @throws NotFound it is not a number */
export function numberOf(call: Call): number {
  const given = param(call, "id");
  if (!/^\d{1,15}$/.test(given)) throw new NotFound();
  return Number(given);
}
