import type { Attack } from "../attack.ts";
import { sweepAttacks } from "../sweep.ts";
import { bodyAttacks } from "./bodies.ts";
import { connectionAttacks } from "./connections.ts";
import { formAttacks } from "./forms.ts";
import { gitAttacks } from "./git.ts";
import { passwordAttacks } from "./passwords.ts";
import { patternAttacks } from "./patterns.ts";
import { refAttacks } from "./refs.ts";
import { renderAttacks } from "./renders.ts";

/** Everything that is tried, in this order, against one server. */
export const attacks: readonly Attack[] = [
  ...formAttacks,
  ...bodyAttacks,
  ...patternAttacks,
  ...passwordAttacks,
  ...renderAttacks,
  ...connectionAttacks,
  ...gitAttacks,
  ...refAttacks,
  ...sweepAttacks,
];
