(* Language.v -- the language of docs/identities.md: expressions and what they mean.
 *
 * A value is a matrix (a list of rows) over some type of scalars; a scalar is a 1 x 1 matrix.
 * The meaning of an expression is defined once, for any operations on scalars.  Over the real
 * numbers it is what a ledger text says; Fractions.v and Points.v run the same definition over
 * normal forms and over rational numbers, and [eval_related] carries what is computed there back
 * to the real numbers.
 *)
From Coq Require Import List Arith QArith Qreals Reals.
Import ListNotations.
Local Open Scope nat_scope.

Record ops (T : Type) := Ops {
  cst : Q -> T;
  add : T -> T -> T;
  sub : T -> T -> T;
  mul : T -> T -> T;
  div : T -> T -> T;
  opp : T -> T;
  times : T -> (unit -> T) -> T (* a product whose second factor need not be computed *)
}.
Arguments cst {T}. Arguments add {T}. Arguments sub {T}. Arguments mul {T}.
Arguments div {T}. Arguments opp {T}. Arguments times {T}.

Definition mat (T : Type) := list (list T).

Section Matrices.
  Context {T : Type} (O : ops T).

  Definition rows (A : mat T) := length A.
  Definition cols (A : mat T) := length (hd [] A).
  Definition get (A : mat T) i j := nth j (nth i A []) (cst O 0).
  Definition tab m n (f : nat -> nat -> T) : mat T :=
    map (fun i => map (f i) (seq 0 n)) (seq 0 m).
  Definition entrywise f (A : mat T) := tab (rows A) (cols A) (fun i j => f (get A i j)).
  Definition scalar x : mat T := [[x]].
  Definition value (A : mat T) := get A 0 0.
  Definition total (l : list T) := fold_right (add O) (cst O 0) l.
  Definition is_scalar (A : mat T) := (rows A =? 1) && (cols A =? 1).

  Definition meye n := tab n n (fun i j => cst O (if i =? j then 1 else 0)).
  Definition mconst q m n := tab m n (fun _ _ => cst O q).
  Definition munit n i := tab n 1 (fun k _ => cst O (if k =? i then 1 else 0)).
  Definition both f (A B : mat T) := tab (rows A) (cols A) (fun i j => f (get A i j) (get B i j)).
  Definition mtrans (A : mat T) := tab (cols A) (rows A) (fun i j => get A j i).
  Definition product (A B : mat T) :=
    tab (rows A) (cols B) (fun i j =>
      total (map (fun k => times O (get A i k) (fun _ => get B k j)) (seq 0 (cols A)))).
  Definition mmul A B :=
    if is_scalar A then entrywise (fun b => mul O (value A) b) B
    else if is_scalar B then entrywise (fun a => mul O a (value B)) A
    else product A B.
  Definition mdiv A B := entrywise (fun a => div O a (value B)) A.
  Fixpoint mpow A n :=
    match n with 0 => meye (rows A) | 1 => A | S m => mmul (mpow A m) A end.

  (* without row i and column j *)
  Definition minor i j (A : mat T) :=
    let skip k l := if l <? k then l else S l in
    tab (pred (rows A)) (pred (cols A)) (fun r c => get A (skip i r) (skip j c)).
  Definition signed k x := if Nat.even k then x else opp O x.
  (* Laplace along the first row *)
  Fixpoint laplace n (A : mat T) :=
    match n with
    | 0 => cst O 1
    | S m => total (map (fun j => signed j (times O (get A 0 j) (fun _ => laplace m (minor 0 j A))))
                        (seq 0 n))
    end.
  Definition det (A : mat T) := laplace (rows A) A.
  Definition madj (A : mat T) :=
    tab (rows A) (rows A) (fun i j => signed (i + j) (det (minor j i A))).
  Definition minv (A : mat T) :=
    let d := det A in entrywise (fun a => div O a d) (madj A).

  Definition stack (A B : mat T) := A ++ B.
  Definition beside (A B : mat T) :=
    tab (rows A) (cols A + cols B)
        (fun i j => if j <? cols A then get A i j else get B i (j - cols A)).
  Definition part (A : mat T) i j m n := tab m n (fun r c => get A (i + r) (j + c)).
  Definition mdiag (A : mat T) :=
    tab (rows A) (rows A) (fun i j => if i =? j then get A i 0 else cst O 0).
  Definition mtr (A : mat T) := total (map (fun i => get A i i) (seq 0 (rows A))).
  Definition mvec (A : mat T) :=
    tab (cols A * rows A) 1 (fun k _ => get A (k mod rows A) (k / rows A)).
  Definition pairs n :=
    flat_map (fun i => map (fun j => (i, j)) (seq (S i) (n - S i))) (seq 0 n).
  Definition mminor2 (A : mat T) :=
    let p := pairs (rows A) in
    let q := pairs (cols A) in
    tab (length p) (length q) (fun a b =>
      let (i, j) := nth a p (0, 0) in
      let (k, l) := nth b q (0, 0) in
      sub O (mul O (get A i k) (get A j l)) (mul O (get A i l) (get A j k))).
  Definition mcross (A : mat T) : mat T :=
    let a i := get A i 0 in
    let z := cst O 0 in
    [[z; opp O (a 2); a 1]; [a 2; z; opp O (a 0)]; [opp O (a 1); a 0; z]].

  (* Quaternions: columns (1, i, j, k). *)
  Definition qmul (p q : mat T) : mat T :=
    let P i := get p i 0 in
    let Q i := get q i 0 in
    let s a b c d := scalar (add O (add O a b) (add O c d)) in
    let t i j := mul O (P i) (Q j) in
    let n i j := opp O (t i j) in
    s (t 0 0) (n 1 1) (n 2 2) (n 3 3) ++ s (t 0 1) (t 1 0) (t 2 3) (n 3 2)
    ++ s (t 0 2) (n 1 3) (t 2 0) (t 3 1) ++ s (t 0 3) (t 1 2) (n 2 1) (t 3 0).
  Definition qconj (p : mat T) : mat T :=
    [[get p 0 0]; [opp O (get p 1 0)]; [opp O (get p 2 0)]; [opp O (get p 3 0)]].
  (* the matrix of x -> p x conj(q) *)
  Definition mquat (p q : mat T) : mat T :=
    let image k := qmul (qmul p (munit 4 k)) (qconj q) in
    beside (beside (image 0) (image 1)) (beside (image 2) (image 3)).
End Matrices.

(* Formal derivatives: a + a' eps with eps^2 = 0. *)
Definition dual {T} (O : ops T) : ops (T * T) :=
  Ops (T * T)
    (fun q => (cst O q, cst O 0))
    (fun a b => (add O (fst a) (fst b), add O (snd a) (snd b)))
    (fun a b => (sub O (fst a) (fst b), sub O (snd a) (snd b)))
    (fun a b => (mul O (fst a) (fst b), add O (mul O (snd a) (fst b)) (mul O (fst a) (snd b))))
    (fun a b => let q := div O (fst a) (fst b) in
                (q, div O (sub O (snd a) (mul O q (snd b))) (fst b)))
    (fun a => (opp O (fst a), opp O (snd a)))
    (fun a f => let b := f tt in
                (mul O (fst a) (fst b), add O (mul O (snd a) (fst b)) (mul O (fst a) (snd b)))).

Inductive expr :=
| Num (q : Q)
| Var (i : nat)
| Def (i : nat)              (* the i-th name defined by "let" *)
| Add (a b : expr)
| Sub (a b : expr)
| Mul (a b : expr)
| Div (a b : expr)
| Neg (a : expr)
| Pow (a : expr) (n : nat)
| Trans (a : expr)
| Inv (a : expr)
| Det (a : expr)
| Adj (a : expr)
| Tr (a : expr)
| Eye (n : nat)
| Const (q : Q) (m n : nat)
| Unit (n i : nat)           (* i counts from 0, here and in Part *)
| Stack (a b : expr)
| Beside (a b : expr)
| Part (a : expr) (i j m n : nat)
| Diag (a : expr)            (* of a column *)
| Vec (a : expr)
| Minor2 (a : expr)
| Cross (a : expr)
| Qmul (a b : expr)
| Qconj (a : expr)
| Quat (a b : expr)
| Diff (f : expr) (x : nat)              (* f and g without Def *)
| Subst (f : expr) (x : nat) (g : expr).

Definition upd {T} (rho : nat -> T) x v := fun i => if i =? x then v else rho i.

Fixpoint eval (e : expr) : forall T, ops T -> (nat -> T) -> list (mat T) -> mat T :=
  match e with
  | Num q => fun T O rho ds => scalar (cst O q)
  | Var i => fun T O rho ds => scalar (rho i)
  | Def i => fun T O rho ds => nth i ds []
  | Add a b => fun T O rho ds => both O (add O) (eval a T O rho ds) (eval b T O rho ds)
  | Sub a b => fun T O rho ds => both O (sub O) (eval a T O rho ds) (eval b T O rho ds)
  | Mul a b => fun T O rho ds => mmul O (eval a T O rho ds) (eval b T O rho ds)
  | Div a b => fun T O rho ds => mdiv O (eval a T O rho ds) (eval b T O rho ds)
  | Neg a => fun T O rho ds => entrywise O (opp O) (eval a T O rho ds)
  | Pow a n => fun T O rho ds => mpow O (eval a T O rho ds) n
  | Trans a => fun T O rho ds => mtrans O (eval a T O rho ds)
  | Inv a => fun T O rho ds => minv O (eval a T O rho ds)
  | Det a => fun T O rho ds => scalar (det O (eval a T O rho ds))
  | Adj a => fun T O rho ds => madj O (eval a T O rho ds)
  | Tr a => fun T O rho ds => scalar (mtr O (eval a T O rho ds))
  | Eye n => fun T O rho ds => meye O n
  | Const q m n => fun T O rho ds => mconst O q m n
  | Unit n i => fun T O rho ds => munit O n i
  | Stack a b => fun T O rho ds => stack (eval a T O rho ds) (eval b T O rho ds)
  | Beside a b => fun T O rho ds => beside O (eval a T O rho ds) (eval b T O rho ds)
  | Part a i j m n => fun T O rho ds => part O (eval a T O rho ds) i j m n
  | Diag a => fun T O rho ds => mdiag O (eval a T O rho ds)
  | Vec a => fun T O rho ds => mvec O (eval a T O rho ds)
  | Minor2 a => fun T O rho ds => mminor2 O (eval a T O rho ds)
  | Cross a => fun T O rho ds => mcross O (eval a T O rho ds)
  | Qmul a b => fun T O rho ds => qmul O (eval a T O rho ds) (eval b T O rho ds)
  | Qconj a => fun T O rho ds => qconj O (eval a T O rho ds)
  | Quat a b => fun T O rho ds => mquat O (eval a T O rho ds) (eval b T O rho ds)
  | Diff f x => fun T O rho ds =>
      let r := fun i => (rho i, cst O (if i =? x then 1 else 0)) in
      map (map snd) (eval f (T * T)%type (dual O) r [])
  | Subst f x g => fun T O rho ds =>
      eval f T O (upd rho x (value O (eval g T O rho ds))) []
  end.

Declare Scope lang_scope.
Delimit Scope lang_scope with lang.
Bind Scope lang_scope with expr.
Infix "+" := Add : lang_scope.
Infix "-" := Sub : lang_scope.
Infix "*" := Mul : lang_scope.
Infix "/" := Div : lang_scope.

(* ---- theories and statements ---- *)

Inductive order := Ge | Gt | Ne.
Record theory := Theory {
  defs : list expr;
  relations : list (expr * expr);
  assumptions : list (order * (expr * expr));
  nonzero : list expr            (* denominators, without Def *)
}.
Inductive statement :=
| Eq (a b : expr)
| Cmp (o : order) (a b : expr)
| Divides (n : nat) (f g : expr) (x : nat).  (* with a quotient of n coefficients *)

Section Values.
  Context {T : Type} (O : ops T) (rho : nat -> T).
  Fixpoint values (l : list expr) (ds : list (mat T)) : list (mat T) :=
    match l with [] => ds | e :: l' => values l' (ds ++ [eval e T O rho ds]) end.
  Definition val (t : theory) e := eval e T O rho (values (defs t) []).
  Definition gap (t : theory) (p : expr * expr) :=
    sub O (value O (val t (fst p))) (value O (val t (snd p))).
End Values.

(* ---- over the real numbers ---- *)

Definition Rops : ops R :=
  Ops R Q2R Rplus Rminus Rmult Rdiv Ropp (fun a f => Rmult a (f tt)).
Definition compared o (x : R) :=
  match o with Ge => (0 <= x)%R | Gt => (0 < x)%R | Ne => x <> 0%R end.
Definition admissible t (rho : nat -> R) :=
  (forall p, In p (relations t) -> val Rops rho t (fst p) = val Rops rho t (snd p)) /\
  (forall a, In a (assumptions t) -> compared (fst a) (gap Rops rho t (snd a))) /\
  (forall e, In e (nonzero t) -> value Rops (eval e R Rops rho []) <> 0%R).
Definition peval (c : list R) (x : R) := fold_right (fun a s => (a + x * s)%R) 0%R c.
Definition meaning t s (rho : nat -> R) :=
  match s with
  | Eq a b => val Rops rho t a = val Rops rho t b
  | Cmp o a b => compared o (gap Rops rho t (a, b))
  | Divides n f g x =>
      exists c, length c = n /\ forall x0, let r := upd rho x x0 in admissible t r ->
      value Rops (val Rops r t g) = (value Rops (val Rops r t f) * peval c x0)%R
  end.

(* What the ledger claims, and that it is wrong. *)
Definition valid t s := forall rho, admissible t rho -> meaning t s rho.
Definition refuted t s := exists rho, admissible t rho /\ ~ meaning t s rho.
(* The hypotheses do not contradict one another. *)
Definition inhabited t := exists rho, admissible t rho.

(* ---- two ways to compute the same ---- *)

Record related {T U} (A : ops T) (B : ops U) (r : T -> U -> Prop) : Prop := Related {
  r_cst : forall q, r (cst A q) (cst B q);
  r_add : forall a b x y, r a x -> r b y -> r (add A a b) (add B x y);
  r_sub : forall a b x y, r a x -> r b y -> r (sub A a b) (sub B x y);
  r_mul : forall a b x y, r a x -> r b y -> r (mul A a b) (mul B x y);
  r_div : forall a b x y, r a x -> r b y -> r (div A a b) (div B x y);
  r_opp : forall a x, r a x -> r (opp A a) (opp B x);
  r_times : forall a x f g, r a x -> r (f tt) (g tt) -> r (times A a f) (times B x g)
}.

Lemma dual_related {T U} (A : ops T) (B : ops U) r :
  related A B r ->
  related (dual A) (dual B) (fun a x => r (fst a) (fst x) /\ r (snd a) (snd x)).
Proof.
  intros H; constructor; simpl; intros; repeat match goal with H : _ /\ _ |- _ => destruct H end;
    split; repeat (apply (r_cst _ _ _ H) || apply (r_add _ _ _ H) || apply (r_sub _ _ _ H)
                   || apply (r_mul _ _ _ H) || apply (r_div _ _ _ H) || apply (r_opp _ _ _ H)
                   || assumption).
Qed.

Section Related.
  Context {T U : Type} (A : ops T) (B : ops U) (r : T -> U -> Prop) (HR : related A B r).
  Definition mrel := Forall2 (Forall2 r).

  Lemma same_length {S V} (q : S -> V -> Prop) l k : Forall2 q l k -> length l = length k.
  Proof. induction 1; simpl; auto. Qed.

  Lemma rel_get m n i j : mrel m n -> r (get A m i j) (get B n i j).
  Proof.
    intros H; unfold get.
    assert (R : Forall2 r (nth i m []) (nth i n [])).
    { revert i; induction H; intros [|i]; simpl; auto. }
    revert j; induction R; intros [|j]; simpl; auto; apply (r_cst _ _ _ HR).
  Qed.

  Lemma rel_rows m n : mrel m n -> rows m = rows n.
  Proof. apply same_length. Qed.

  Lemma rel_cols m n : mrel m n -> cols m = cols n.
  Proof. unfold cols; intros H; destruct H; simpl; auto. now apply same_length in H. Qed.

  Lemma rel_map {S} (f : S -> T) (g : S -> U) l :
    (forall s, r (f s) (g s)) -> Forall2 r (map f l) (map g l).
  Proof. intros H; induction l; simpl; auto. Qed.

  Lemma rel_tab m n f g : (forall i j, r (f i j) (g i j)) -> mrel (tab m n f) (tab m n g).
  Proof.
    intros H; unfold mrel, tab. induction (seq 0 m); simpl; auto using rel_map.
  Qed.

  Lemma rel_total l k : Forall2 r l k -> r (total A l) (total B k).
  Proof.
    induction 1; simpl; [apply (r_cst _ _ _ HR) | now apply (r_add _ _ _ HR)].
  Qed.

  Lemma rel_app m n m' n' : mrel m n -> mrel m' n' -> mrel (m ++ m') (n ++ n').
  Proof. apply Forall2_app. Qed.

  Lemma rel_scalar x y : r x y -> mrel (scalar x) (scalar y).
  Proof. unfold scalar, mrel; auto. Qed.

  Local Ltac go :=
    repeat first
      [ assumption
      | match goal with
        | |- mrel (tab _ _ _) (tab _ _ _) => apply rel_tab; intros
        | |- mrel (scalar _) (scalar _) => apply rel_scalar
        | |- mrel (_ ++ _) (_ ++ _) => apply rel_app
        | |- mrel (_ :: _) (_ :: _) => constructor
        | |- mrel [] [] => constructor
        | |- Forall2 _ (_ :: _) (_ :: _) => constructor
        | |- Forall2 _ [] [] => constructor
        | |- r (get _ _ _ _) (get _ _ _ _) => apply rel_get
        | |- r (total _ _) (total _ _) => apply rel_total
        | |- Forall2 r (map _ _) (map _ _) => apply rel_map; intros
        | |- r (if ?b then _ else _) (if ?b then _ else _) => destruct b
        | |- r (cst _ _) (cst _ _) => apply (r_cst _ _ _ HR)
        | |- r (add _ _ _) _ => apply (r_add _ _ _ HR)
        | |- r (sub _ _ _) _ => apply (r_sub _ _ _ HR)
        | |- r (mul _ _ _) _ => apply (r_mul _ _ _ HR)
        | |- r (div _ _ _) _ => apply (r_div _ _ _ HR)
        | |- r (opp _ _) _ => apply (r_opp _ _ _ HR)
        | |- r (times _ _ _) _ => apply (r_times _ _ _ HR)
        end ].

  Lemma rel_eye n : mrel (meye A n) (meye B n).
  Proof. unfold meye; go. Qed.

  Lemma rel_entrywise f g m n :
    (forall x y, r x y -> r (f x) (g y)) -> mrel m n -> mrel (entrywise A f m) (entrywise B g n).
  Proof.
    intros H K; unfold entrywise. rewrite (rel_rows _ _ K), (rel_cols _ _ K).
    go. apply H; go.
  Qed.

  Lemma rel_both f g m n m' n' :
    (forall x x' y y', r x y -> r x' y' -> r (f x x') (g y y')) ->
    mrel m n -> mrel m' n' -> mrel (both A f m m') (both B g n n').
  Proof.
    intros H K K'; unfold both. rewrite (rel_rows _ _ K), (rel_cols _ _ K). go. apply H; go.
  Qed.

  Lemma rel_mul m n m' n' : mrel m n -> mrel m' n' -> mrel (mmul A m m') (mmul B n n').
  Proof.
    intros K K'; unfold mmul, is_scalar, product, value.
    rewrite (rel_rows _ _ K), (rel_cols _ _ K), (rel_rows _ _ K'), (rel_cols _ _ K').
    destruct (_ && _)%bool; [|destruct (_ && _)%bool].
    - apply rel_entrywise; auto; intros; go.
    - apply rel_entrywise; auto; intros; go.
    - go.
  Qed.

  Lemma rel_pow m n k : mrel m n -> mrel (mpow A m k) (mpow B n k).
  Proof.
    intros K; induction k as [|[|k] IH]; simpl; auto.
    - rewrite (rel_rows _ _ K). apply rel_eye.
    - apply rel_mul; auto.
  Qed.

  Lemma rel_minor m n i j : mrel m n -> mrel (minor A i j m) (minor B i j n).
  Proof.
    intros K; unfold minor. rewrite (rel_rows _ _ K), (rel_cols _ _ K). go.
  Qed.

  Lemma rel_signed k x y : r x y -> r (signed A k x) (signed B k y).
  Proof. unfold signed; intros; go. Qed.

  Lemma rel_laplace k : forall m n, mrel m n -> r (laplace A k m) (laplace B k n).
  Proof.
    induction k as [|k IH]; intros m n K; cbn [laplace]; [go|].
    apply rel_total. apply rel_map; intros j.
    apply rel_signed. apply (r_times _ _ _ HR); [now apply rel_get|]. apply IH. now apply rel_minor.
  Qed.

  Lemma rel_det m n : mrel m n -> r (det A m) (det B n).
  Proof.
    intros K. unfold det. rewrite (rel_rows _ _ K). now apply rel_laplace.
  Qed.

  Lemma rel_adj m n : mrel m n -> mrel (madj A m) (madj B n).
  Proof.
    intros K; unfold madj. rewrite (rel_rows _ _ K). go.
    apply rel_signed, rel_det, rel_minor, K.
  Qed.

  Lemma rel_inv m n : mrel m n -> mrel (minv A m) (minv B n).
  Proof.
    intros K; unfold minv. apply rel_entrywise; [|now apply rel_adj].
    intros; go. now apply rel_det.
  Qed.

  Lemma rel_trans m n : mrel m n -> mrel (mtrans A m) (mtrans B n).
  Proof. intros K; unfold mtrans. rewrite (rel_rows _ _ K), (rel_cols _ _ K). go. Qed.

  Lemma rel_beside m n m' n' : mrel m n -> mrel m' n' -> mrel (beside A m m') (beside B n n').
  Proof.
    intros K K'; unfold beside.
    rewrite (rel_rows _ _ K), (rel_cols _ _ K), (rel_cols _ _ K'). go.
  Qed.

  Lemma rel_qmul m n m' n' : mrel m n -> mrel m' n' -> mrel (qmul A m m') (qmul B n n').
  Proof. intros K K'; unfold qmul; go. Qed.

  Lemma rel_qconj m n : mrel m n -> mrel (qconj A m) (qconj B n).
  Proof. intros K; unfold qconj; go. Qed.

  Lemma rel_quat m n m' n' : mrel m n -> mrel m' n' -> mrel (mquat A m m') (mquat B n n').
  Proof.
    intros K K'; unfold mquat.
    assert (U4 : forall k, mrel (munit A 4 k) (munit B 4 k)) by (intros; unfold munit; go).
    repeat (apply rel_beside || apply rel_qmul || apply rel_qconj || apply U4); assumption.
  Qed.

  Lemma rel_minor2 m n : mrel m n -> mrel (mminor2 A m) (mminor2 B n).
  Proof.
    intros K; unfold mminor2. rewrite (rel_rows _ _ K), (rel_cols _ _ K).
    apply rel_tab; intros i j.
    destruct (nth i _ _) as [a b], (nth j _ _) as [c d]. go.
  Qed.
End Related.

Lemma rel_snd {T U} (r : T -> U -> Prop) m n :
  mrel (fun a x => r (fst a) (fst x) /\ r (snd a) (snd x)) m n ->
  mrel r (map (map snd) m) (map (map snd) n).
Proof.
  unfold mrel; induction 1; simpl; constructor; auto.
  clear IHForall2 H0. induction H; simpl; constructor; tauto.
Qed.

Lemma eval_related e :
  forall T U (A : ops T) (B : ops U) r, related A B r ->
  forall rho rho' ds ds', (forall i, r (rho i) (rho' i)) -> Forall2 (mrel r) ds ds' ->
  mrel r (eval e T A rho ds) (eval e U B rho' ds').
Proof.
  induction e; intros T U A B r HR rho rho' ds ds' Hr Hd; cbn [eval];
    try (pose proof (IHe _ _ _ _ _ HR _ _ _ _ Hr Hd) as K);
    try (pose proof (IHe1 _ _ _ _ _ HR _ _ _ _ Hr Hd) as K1);
    try (pose proof (IHe2 _ _ _ _ _ HR _ _ _ _ Hr Hd) as K2).
  - apply rel_scalar, (r_cst _ _ _ HR).
  - apply rel_scalar, Hr.
  - revert i; induction Hd; intros [|i]; simpl; auto; constructor.
  - apply (rel_both _ _ _ HR); auto; apply (r_add _ _ _ HR).
  - apply (rel_both _ _ _ HR); auto; apply (r_sub _ _ _ HR).
  - apply (rel_mul _ _ _ HR); auto.
  - unfold mdiv. apply (rel_entrywise _ _ _ HR); auto. intros.
    apply (r_div _ _ _ HR); auto. apply (rel_get _ _ _ HR); auto.
  - apply (rel_entrywise _ _ _ HR); auto; apply (r_opp _ _ _ HR).
  - apply (rel_pow _ _ _ HR); auto.
  - apply (rel_trans _ _ _ HR); auto.
  - apply (rel_inv _ _ _ HR); auto.
  - apply rel_scalar. apply (rel_det _ _ _ HR); auto.
  - apply (rel_adj _ _ _ HR); auto.
  - apply rel_scalar. unfold mtr. rewrite (rel_rows _ _ _ K).
    apply (rel_total _ _ _ HR), rel_map. intros; apply (rel_get _ _ _ HR); auto.
  - apply (rel_eye _ _ _ HR).
  - apply rel_tab; intros; apply (r_cst _ _ _ HR).
  - apply rel_tab; intros; apply (r_cst _ _ _ HR).
  - apply rel_app; auto.
  - apply (rel_beside _ _ _ HR); auto.
  - apply rel_tab; intros; apply (rel_get _ _ _ HR); auto.
  - unfold mdiag. rewrite (rel_rows _ _ _ K). apply rel_tab; intros.
    destruct (_ =? _); [apply (rel_get _ _ _ HR); auto | apply (r_cst _ _ _ HR)].
  - unfold mvec. rewrite (rel_rows _ _ _ K), (rel_cols _ _ _ K).
    apply rel_tab; intros; apply (rel_get _ _ _ HR); auto.
  - apply (rel_minor2 _ _ _ HR); auto.
  - unfold mcross. repeat constructor; try apply (r_opp _ _ _ HR);
      try apply (r_cst _ _ _ HR); apply (rel_get _ _ _ HR); auto.
  - apply (rel_qmul _ _ _ HR); auto.
  - apply (rel_qconj _ _ _ HR); auto.
  - apply (rel_quat _ _ _ HR); auto.
  - apply rel_snd. apply (IHe _ _ _ _ _ (dual_related _ _ _ HR)); [|constructor].
    intros i; split; simpl; [apply Hr | apply (r_cst _ _ _ HR)].
  - apply (IHe1 _ _ _ _ _ HR); [|constructor].
    intros i; unfold upd; destruct (i =? x); auto. apply (rel_get _ _ _ HR); auto.
Qed.

Lemma values_related {T U} (A : ops T) (B : ops U) r rho rho' (HR : related A B r) l :
  (forall i, r (rho i) (rho' i)) -> forall ds ds', Forall2 (mrel r) ds ds' ->
  Forall2 (mrel r) (values A rho l ds) (values B rho' l ds').
Proof.
  intros H. induction l as [|e l IH]; intros ds ds' K; cbn [values]; auto.
  apply IH. apply Forall2_app; auto. constructor; [|constructor].
  now apply eval_related.
Qed.

Lemma val_related {T U} (A : ops T) (B : ops U) r rho rho' t (HR : related A B r) e :
  (forall i, r (rho i) (rho' i)) -> mrel r (val A rho t e) (val B rho' t e).
Proof.
  intros H; unfold val. apply eval_related; auto. apply values_related; auto.
Qed.

Lemma gap_related {T U} (A : ops T) (B : ops U) r rho rho' t (HR : related A B r) p :
  (forall i, r (rho i) (rho' i)) -> r (gap A rho t p) (gap B rho' t p).
Proof.
  intros H; unfold gap, value. apply (r_sub _ _ _ HR); apply (rel_get _ _ _ HR);
    now apply val_related.
Qed.
