/** One item of `details`: the dotted path of a field and what is wrong with it. */
export interface FieldProblem {
  field: string;
  message: string;
}
