(* Signs.v -- inequalities: certificates made of squares, assumptions and positive numbers; and
 * denominators that the assumptions keep away from zero.
 *)
From Coq Require Import List Arith ZArith QArith Qreals Reals Lra Bool.
From Ckda Require Import Language Fractions Check.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- signs ---- *)

Inductive sign :=
| SNum (q : Q)
| SHyp (i : nat)                 (* the i-th assumption *)
| SSquare (e : expr)
| SSquareHyp (i : nat)           (* of an assumption x > 0 or x <> 0: strict *)
| SAdd (a b : sign)
| SMul (a b : sign)
| SDiv (a b : sign).

Inductive known := Positive | NonNegative.

Section Signs.
  Variable t : theory.
  Definition hyp i := nth i (assumptions t) (Ge, (Num 0, Num 0)).
  Fixpoint sign_of (s : sign) : option known :=
    match s with
    | SNum q => match (0 ?= q)%Q with Lt => Some Positive | Datatypes.Eq => Some NonNegative | _ => None end
    | SHyp i => if i <? length (assumptions t) then
                  match fst (hyp i) with
                  | Gt => Some Positive | Ge => Some NonNegative | Ne => None end
                else None
    | SSquare _ => Some NonNegative
    | SSquareHyp i => if i <? length (assumptions t) then
                        match fst (hyp i) with Ge => None | _ => Some Positive end
                      else None
    | SAdd a b => match sign_of a, sign_of b with
                  | Some NonNegative, Some NonNegative => Some NonNegative
                  | Some _, Some _ => Some Positive
                  | _, _ => None
                  end
    | SMul a b => match sign_of a, sign_of b with
                  | Some Positive, Some Positive => Some Positive
                  | Some _, Some _ => Some NonNegative
                  | _, _ => None
                  end
    | SDiv a b => match sign_of a, sign_of b with
                  | Some x, Some Positive => Some x
                  | _, _ => None
                  end
    end.

  Section Value.
    Context {T : Type} (O : ops T) (rho : nat -> T) (ds : list (mat T)).
    Definition at_ e := value O (eval e T O rho ds).
    Definition hyp_value i := sub O (at_ (fst (snd (hyp i)))) (at_ (snd (snd (hyp i)))).
    Fixpoint sign_value (s : sign) : T :=
      match s with
      | SNum q => cst O q
      | SHyp i => hyp_value i
      | SSquare e => let x := at_ e in mul O x x
      | SSquareHyp i => let x := hyp_value i in mul O x x
      | SAdd a b => add O (sign_value a) (sign_value b)
      | SMul a b => mul O (sign_value a) (sign_value b)
      | SDiv a b => div O (sign_value a) (sign_value b)
      end.
  End Value.

  Definition holds_for (s : option known) (x : R) :=
    match s with Some Positive => (0 < x)%R | Some NonNegative => (0 <= x)%R | None => True end.

  Lemma sign_ok rho s : admissible t rho ->
    holds_for (sign_of s) (sign_value Rops rho (values Rops rho (defs t) []) s).
  Proof.
    intros (_ & A & _). induction s; cbn [sign_of sign_value].
    - destruct (0 ?= q)%Q eqn:E; simpl; auto.
      + apply Qeq_alt in E. apply Qeq_eqR in E. rewrite Q2R_0 in E. rewrite <- E. lra.
      + apply Qlt_alt in E. apply Qlt_Rlt in E. now rewrite Q2R_0 in E.
    - destruct (i <? _) eqn:L; [|exact I]. apply Nat.ltb_lt in L.
      specialize (A (hyp i) (nth_In _ _ L)). unfold gap, val in A.
      destruct (fst (hyp i)); simpl in *; auto.
    - cbn. nra.
    - destruct (i <? _) eqn:L; [|exact I]. apply Nat.ltb_lt in L.
      specialize (A (hyp i) (nth_In _ _ L)). unfold gap, val in A.
      unfold hyp_value, at_.
      destruct (fst (hyp i)); simpl in *; auto; set (x := Rminus _ _) in *; nra.
    - destruct (sign_of s1) as [[]|], (sign_of s2) as [[]|]; simpl in *; auto; lra.
    - destruct (sign_of s1) as [[]|], (sign_of s2) as [[]|]; simpl in *; auto; nra.
    - destruct (sign_of s1) as [[]|], (sign_of s2) as [[]|]; simpl in *; auto.
      + now apply Rdiv_lt_0_compat.
      + unfold Rdiv. apply Rmult_le_pos; auto. left. now apply Rinv_0_lt_compat.
  Qed.

  Lemma sign_related {T U} (A : ops T) (B : ops U) r rho rho' ds ds' s : related A B r ->
    (forall i, r (rho i) (rho' i)) -> Forall2 (mrel r) ds ds' ->
    r (sign_value A rho ds s) (sign_value B rho' ds' s).
  Proof.
    intros HR H K.
    assert (E : forall e, r (at_ A rho ds e) (at_ B rho' ds' e)).
    { intros e. apply (rel_get _ _ _ HR). now apply eval_related. }
    assert (F : forall i, r (hyp_value A rho ds i) (hyp_value B rho' ds' i)).
    { intros i. apply (r_sub _ _ _ HR); apply E. }
    induction s; cbn [sign_value]; auto.
    - apply (r_cst _ _ _ HR).
    - apply (r_mul _ _ _ HR); auto.
    - apply (r_mul _ _ _ HR); auto.
    - now apply (r_add _ _ _ HR).
    - now apply (r_mul _ _ _ HR).
    - now apply (r_div _ _ _ HR).
  Qed.
End Signs.

Definition enough o (s : option known) :=
  match o, s with
  | Ge, Some _ => true
  | _, Some Positive => true
  | _, _ => false
  end.

(* a - b = s, or b - a = s when the statement is b <> a *)
Definition check_sign t k o (flip : bool) a b s :=
  match context_of t k with
  | Some c =>
      let O := c_ops c in
      let rho := fvar (h_vars k) in
      let d := sub O (value O (evalf k c a)) (value O (evalf k c b)) in
      let v := sign_value t O rho (c_defs c) s in
      enough o (sign_of t s) &&
      equal k c (if flip then opp O d else d) v &&
      (if flip then match o with Ne => true | _ => false end else true)
  | None => false
  end.

Theorem sign_sound t k o flip a b s :
  check_sign t k o flip a b s = true -> valid t (Cmp o a b).
Proof.
  unfold check_sign. destruct (context_of t k) as [c|] eqn:C; [|discriminate].
  intros H rho A. apply andb_prop in H as [H F]. apply andb_prop in H as [E H].
  simpl. unfold gap, val; cbn [fst snd sub Rops].
  pose proof (facts _ _ _ _ C A) as (_ & Rel & Ds & _).
  pose proof (rel_get _ _ _ Rel _ _ 0 0 (evalf_ok _ _ _ _ C A a)) as Ra.
  pose proof (rel_get _ _ _ Rel _ _ 0 0 (evalf_ok _ _ _ _ C A b)) as Rb.
  pose proof (r_sub _ _ _ Rel _ _ _ _ Ra Rb) as D.
  pose proof (sign_related t _ _ _ _ _ _ _ s Rel (fvar_ok (h_vars k) (c_h c) rho) Ds) as V.
  pose proof (sign_ok t rho s A) as S.
  fold (value Rops (eval a R Rops rho (values Rops rho (defs t) []))) in D.
  fold (value Rops (eval b R Rops rho (values Rops rho (defs t) []))) in D.
  cbn [sub Rops] in D. set (x := Rminus _ _) in *. clearbody x.
  destruct flip.
  - pose proof (r_opp _ _ _ Rel _ _ D) as D'.
    pose proof (equal_ok _ _ _ _ C A _ _ _ _ D' V H) as Q. cbn [opp Rops] in Q. rewrite <- Q in S.
    destruct o; try discriminate.
    destruct (sign_of t s) as [[]|]; try discriminate. cbn [holds_for compared] in *. lra.
  - pose proof (equal_ok _ _ _ _ C A _ _ _ _ D V H) as Q. rewrite <- Q in S.
    destruct (sign_of t s) as [[]|], o; try discriminate; cbn [holds_for compared] in *; lra.
Qed.

(* ---- denominators that the assumptions keep away from zero ---- *)

Fixpoint no_def (e : expr) : bool :=
  match e with
  | Def _ => false
  | Num _ | Var _ | Eye _ | Const _ _ _ | Unit _ _ => true
  | Add a b | Sub a b | Mul a b | Div a b | Stack a b | Beside a b | Qmul a b | Quat a b =>
      no_def a && no_def b
  | Neg a | Pow a _ | Trans a | Inv a | Det a | Adj a | Tr a | Part a _ _ _ _ | Diag a | Vec a
  | Minor2 a | Cross a | Qconj a => no_def a
  | Diff _ _ => true
  | Subst _ _ g => no_def g
  end.

Lemma no_def_ok e : no_def e = true ->
  forall T (O : ops T) rho ds, eval e T O rho ds = eval e T O rho [].
Proof.
  induction e; cbn [no_def]; intros H T O rho ds; try discriminate; cbn [eval]; auto;
    repeat match goal with H : (_ && _)%bool = true |- _ => apply andb_prop in H as [? ?] end;
    rewrite ?(IHe H T O rho ds), ?(IHe1 ltac:(assumption) T O rho ds),
            ?(IHe2 ltac:(assumption) T O rho ds); auto.
Qed.

Definition and_nonzero e t := Theory (defs t) (relations t) (assumptions t) (nonzero t ++ [e]).
Definition check_denominator t k flip e s :=
  no_def e && check_sign t k Ne flip e (Num 0) s.

Theorem denominator t k flip e s st :
  check_denominator t k flip e s = true -> valid (and_nonzero e t) st -> valid t st.
Proof.
  unfold check_denominator. intros H V. apply andb_prop in H as [D H].
  apply sign_sound in H.
  assert (E : forall rho, admissible t rho -> admissible (and_nonzero e t) rho).
  { intros rho A. pose proof (H rho A) as N. simpl in N. unfold gap, val in N; cbn [fst snd] in N.
    rewrite (no_def_ok e D) in N. destruct A as (A1 & A2 & A3).
    split; [exact A1|split; [exact A2|]]. intros e' I.
    apply in_app_or in I as [I|[<-|[]]]; [now apply A3|].
    intros Z. apply N. rewrite Z. simpl. unfold value, get; simpl. rewrite Q2R_0. lra. }
  intros rho A. specialize (V rho (E rho A)). destruct st; auto.
  destruct V as (c & L & K). exists c. split; auto. intros x0 r A'. apply K. now apply E.
Qed.
