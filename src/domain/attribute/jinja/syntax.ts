import type {FilterName} from './filters.ts';
import type {ArithmeticOperator, CompareOperator} from './operators.ts';
import type {Value} from './value.ts';
import type {TestName} from './value-tests.ts';

export type Comparison = {readonly operator: CompareOperator; readonly operand: Expression};

export type Arguments = {
  readonly positional: readonly Expression[];
  readonly named: Readonly<Record<string, Expression>>;
};

export type Expression =
  | {readonly is: 'constant'; readonly value: Value}
  | {readonly is: 'name'; readonly name: string}
  | {readonly is: 'attribute'; readonly target: Expression; readonly name: string}
  | {readonly is: 'item'; readonly target: Expression; readonly key: Expression}
  | {readonly is: 'list'; readonly items: readonly Expression[]}
  | {readonly is: 'sign'; readonly negative: boolean; readonly operand: Expression}
  | {readonly is: 'not'; readonly operand: Expression}
  | {
      readonly is: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {readonly is: 'and' | 'or'; readonly left: Expression; readonly right: Expression}
  | {readonly is: 'concat'; readonly parts: readonly Expression[]}
  | {readonly is: 'compare'; readonly first: Expression; readonly rest: readonly Comparison[]}
  | {
      readonly is: 'choose';
      readonly test: Expression;
      readonly value: Expression;
      readonly otherwise: Expression | null;
    }
  | {readonly is: 'filter'; readonly name: FilterName; readonly target: Expression; readonly args: Arguments}
  | {readonly is: 'test'; readonly name: TestName; readonly target: Expression};

export type Branch = {readonly test: Expression; readonly body: readonly Statement[]};

export type Statement =
  | {readonly is: 'text'; readonly text: string}
  | {readonly is: 'output'; readonly expression: Expression}
  | {readonly is: 'if'; readonly branches: readonly Branch[]; readonly otherwise: readonly Statement[]}
  | {
      readonly is: 'for';
      readonly variable: string;
      readonly items: Expression;
      readonly filter: Expression | null;
      readonly body: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | {readonly is: 'set'; readonly name: string; readonly value: Expression};
