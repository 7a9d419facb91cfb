import { ExpressionError } from "./error.ts";
import { type Token, tokensOf } from "./lexer.ts";

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";

export type Expression =
  | { readonly kind: "literal"; readonly value: null | boolean | number | string }
  | { readonly kind: "context"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly given: readonly Expression[] }
  /** `of.name`, `of['name']`, `of[0]` */
  | { readonly kind: "member"; readonly of: Expression; readonly index: Expression }
  /** `of.*` */
  | { readonly kind: "each"; readonly of: Expression }
  | { readonly kind: "not"; readonly of: Expression }
  | { readonly kind: "compare"; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression };

const MAX_DEPTH = 50;
/** Operators from lowest to highest precedence. */
const levels: readonly (readonly string[])[] = [["||"], ["&&"], ["==", "!="], ["<", "<=", ">", ">="]];
const literals: Readonly<Record<string, null | boolean | number>> = {
  null: null,
  true: true,
  false: false,
  nan: Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
};

/** @throws ExpressionError */
export function parseExpression(source: string): Expression {
  return new Parser(tokensOf(source)).parse();
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  parse(): Expression {
    const expression = this.binary(0);
    if (this.next.kind !== "end") throw this.unexpected();
    return expression;
  }

  private get next(): Token {
    return this.tokens[this.at] ?? { kind: "end", value: "" };
  }

  private binary(level: number): Expression {
    const operators = levels[level];
    if (operators === undefined) return this.unary();
    let left = this.binary(level + 1);
    for (let length = 0; this.next.kind === "sign" && operators.includes(this.next.value); length++) {
      // A long chain of operators is a deep tree, too.
      if (length >= MAX_DEPTH * 4) throw new ExpressionError("the expression is nested too deep");
      const { value: operator } = this.next;
      this.at++;
      left = joined(operator as Operator | "&&" | "||", left, this.binary(level + 1));
    }
    return left;
  }

  private unary(): Expression {
    if (!this.isSign("!")) return this.postfix();
    return this.nested(() => {
      this.at++;
      return { kind: "not", of: this.unary() };
    });
  }

  private postfix(): Expression {
    let of = this.primary();
    for (let length = 0; this.isSign(".") || this.isSign("["); length++) {
      if (length >= MAX_DEPTH) throw new ExpressionError("the expression is nested too deep");
      of = this.isSign(".") ? this.dotted(of) : this.indexed(of);
    }
    return of;
  }

  private dotted(of: Expression): Expression {
    this.at++;
    const { kind, value } = this.next;
    if (kind === "name") {
      this.at++;
      return { kind: "member", of, index: { kind: "literal", value } };
    }
    this.expect("*");
    return { kind: "each", of };
  }

  private indexed(of: Expression): Expression {
    this.at++;
    if (this.isSign("*")) {
      this.at++;
      this.expect("]");
      return { kind: "each", of };
    }
    const index = this.nested(() => this.binary(0));
    this.expect("]");
    return { kind: "member", of, index };
  }

  private primary(): Expression {
    const token = this.next;
    this.at++;
    if (token.kind === "number" || token.kind === "text") return { kind: "literal", value: token.value };
    if (token.kind === "name") return this.isSign("(") ? this.call(token.value) : named(token.value);
    if (token.kind === "sign" && token.value === "(") {
      const inside = this.nested(() => this.binary(0));
      this.expect(")");
      return inside;
    }
    this.at--;
    throw this.unexpected();
  }

  private call(name: string): Expression {
    this.at++;
    const given: Expression[] = [];
    while (!this.isSign(")")) {
      if (given.length > 0) this.expect(",");
      given.push(this.nested(() => this.binary(0)));
    }
    this.at++;
    return { kind: "call", name: name.toLowerCase(), given };
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw new ExpressionError("the expression is nested too deep");
    const result = read();
    this.depth--;
    return result;
  }

  private isSign(value: string): boolean {
    return this.next.kind === "sign" && this.next.value === value;
  }

  private expect(value: string): void {
    if (!this.isSign(value)) throw this.unexpected();
    this.at++;
  }

  private unexpected(): ExpressionError {
    const { kind, value } = this.next;
    return new ExpressionError(kind === "end" ? "the expression ends too early" : `"${value}" was not expected`);
  }
}

function named(name: string): Expression {
  const word = name.toLowerCase();
  const value = Object.hasOwn(literals, word) ? literals[word] : undefined;
  return value === undefined ? { kind: "context", name: word } : { kind: "literal", value };
}

function joined(operator: Operator | "&&" | "||", left: Expression, right: Expression): Expression {
  if (operator === "&&") return { kind: "and", left, right };
  if (operator === "||") return { kind: "or", left, right };
  return { kind: "compare", operator, left, right };
}

/** All nodes of an expression, including itself. */
export function* partsOf(expression: Expression): Generator<Expression> {
  const waiting = [expression];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    yield part;
    if (part.kind === "call") waiting.push(...part.given);
    else if (part.kind === "member") waiting.push(part.of, part.index);
    else if (part.kind === "each" || part.kind === "not") waiting.push(part.of);
    else if (part.kind === "compare" || part.kind === "and" || part.kind === "or") waiting.push(part.left, part.right);
  }
}
