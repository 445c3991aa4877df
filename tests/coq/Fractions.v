(* Fractions.v -- normal forms: a polynomial (the one of Coq's own tactic ring) over a product of
 * powers of denominators that are known not to vanish.
 *)
From Coq Require Import List Arith ZArith QArith Qreals Qround Reals Lra Bool.
From Coq Require BinList.
From Coq Require Import Ring_theory Ring_polynom RealField.
From Ckda Require Import Language.
Import ListNotations.
Local Open Scope nat_scope.

Definition poly := Pol Q.
Definition qadd a b := Qred (a + b).
Definition qsub a b := Qred (a - b).
Definition qmul' a b := Qred (a * b).
Definition qopp a := Qred (- a).
Definition qdiv (a b : Q) : Q * Q :=   (* quotient, remainder *)
  if Qeq_bool b 0 then (0%Q, a) else (Qred (a / b), 0%Q).

Definition padd : poly -> poly -> poly := Padd 0%Q qadd Qeq_bool.
Definition psub : poly -> poly -> poly := Psub 0%Q qadd qsub qopp Qeq_bool.
Definition pmul : poly -> poly -> poly := Pmul 0%Q 1%Q qadd qmul' Qeq_bool.
Definition popp : poly -> poly := Popp qopp.
Definition pcst (q : Q) : poly := Pc (Qred q).
Definition peq : poly -> poly -> bool := Peq Qeq_bool.
Definition pvar (i : nat) : poly := mk_X 0%Q 1%Q (Pos.of_succ_nat i).
Definition preduce rules m n p : poly := PNSubstL 0%Q 1%Q qadd qmul' Qeq_bool qdiv p rules m n.
Definition is_zero (p : poly) := peq p (pcst 0).
Fixpoint ppow (p : poly) n := match n with 0 => pcst 1 | S k => pmul p (ppow p k) end.

Definition pval (l : list R) (p : poly) : R := Pphi 0%R Rplus Rmult Q2R l p.

(* ---- Q2R is a morphism, also when coefficients are kept in lowest terms ---- *)

Lemma Q2R_red q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Q2R_0 : Q2R 0 = 0%R.
Proof. unfold Q2R; simpl; lra. Qed.
Lemma Q2R_1 : Q2R 1 = 1%R.
Proof. unfold Q2R; simpl; lra. Qed.
Lemma Q2R_eqb a b : Qeq_bool a b = true -> Q2R a = Q2R b.
Proof. intros; now apply Qeq_eqR, Qeq_bool_eq. Qed.
Lemma Q2R_neqb a : Qeq_bool a 0 = false -> Q2R a <> 0%R.
Proof.
  intros H K. apply Qeq_bool_neq in H. apply H, eqR_Qeq. now rewrite K, Q2R_0.
Qed.
Lemma Q2R_quotient a b : Qeq_bool b 0 = false -> Q2R (a / b) = (Q2R a / Q2R b)%R.
Proof. intros; apply Q2R_div. now apply Qeq_bool_neq. Qed.

Lemma morphism : ring_morph 0%R 1%R Rplus Rmult Rminus Ropp eq
                            0%Q 1%Q qadd qmul' qsub qopp Qeq_bool Q2R.
Proof.
  constructor; intros; unfold qadd, qmul', qsub, qopp; rewrite ?Q2R_red.
  - apply Q2R_0.
  - apply Q2R_1.
  - apply Q2R_plus.
  - apply Q2R_minus.
  - apply Q2R_mult.
  - apply Q2R_opp.
  - now apply Q2R_eqb.
Qed.

Lemma division : div_theory eq qadd qmul' Q2R qdiv.
Proof.
  constructor; intros a b; unfold qdiv. destruct (Qeq_bool b 0) eqn:E.
  - unfold qadd, qmul'. rewrite !Q2R_red, Q2R_plus, !Q2R_red, Q2R_mult, Q2R_0. ring.
  - unfold qadd, qmul'.
    rewrite !Q2R_red, Q2R_plus, !Q2R_red, Q2R_mult, Q2R_red, Q2R_quotient, Q2R_0 by auto.
    field. now apply Q2R_neqb.
Qed.

Definition ext := Eq_ext Rplus Rmult Ropp.
Definition almost := Rth_ARth (Eqsth R) ext (F_R Rfield).

Lemma padd_ok l a b : pval l (padd a b) = (pval l a + pval l b)%R.
Proof. exact (Padd_ok (Eqsth R) ext almost morphism b a l). Qed.
Lemma psub_ok l a b : pval l (psub a b) = (pval l a - pval l b)%R.
Proof. exact (Psub_ok (Eqsth R) ext almost morphism b a l). Qed.
Lemma pmul_ok l a b : pval l (pmul a b) = (pval l a * pval l b)%R.
Proof. exact (Pmul_ok (Eqsth R) ext almost morphism a b l). Qed.
Lemma popp_ok l a : pval l (popp a) = (- pval l a)%R.
Proof. exact (Popp_ok (Eqsth R) ext almost morphism a l). Qed.
Lemma pcst_ok l q : pval l (pcst q) = Q2R q.
Proof. exact (Q2R_red q). Qed.
Lemma peq_ok l a b : peq a b = true -> pval l a = pval l b.
Proof. intros H; exact (Peq_ok (Eqsth R) ext morphism a b H l). Qed.
Lemma preduce_ok l rules m n p :
  MPcond 0%R 1%R Rplus Rmult eq Q2R rules l -> pval l p = pval l (preduce rules m n p).
Proof. exact (PNSubstL_ok (Eqsth R) ext almost morphism division m n rules p l). Qed.
Lemma is_zero_ok l p : is_zero p = true -> pval l p = 0%R.
Proof. intros H; apply (peq_ok l) in H. now rewrite H, pcst_ok, Q2R_0. Qed.
Lemma ppow_ok l p n : pval l (ppow p n) = (pval l p ^ n)%R.
Proof.
  induction n; cbn [ppow pow]; [rewrite pcst_ok; apply Q2R_1 | now rewrite pmul_ok, IHn].
Qed.

Lemma tl_nth {A} i (l : list A) d : nth i (tl l) d = nth (S i) l d.
Proof. destruct l; simpl; auto. now destruct i. Qed.

Lemma binlist_nth i : forall (l : list R), BinList.nth 0%R (Pos.of_succ_nat i) l = nth i l 0%R.
Proof.
  assert (H : forall p (l : list R), BinList.nth 0%R (Pos.succ p) l = BinList.nth 0%R p (tl l)).
  { induction p; intros l; cbn; auto.
    rewrite IHp, BinList.jump_succ. cbn. now rewrite !BinList.jump_tl. }
  induction i; intros l; [now destruct l|].
  cbn [Pos.of_succ_nat]. rewrite H, IHi. apply tl_nth.
Qed.

Lemma pvar_ok l i : pval l (pvar i) = nth i l 0%R.
Proof.
  rewrite <- binlist_nth.
  symmetry. exact (mkX_ok (Eqsth R) ext almost morphism (Pos.of_succ_nat i) l).
Qed.

(* ---- products of powers of the denominators ---- *)

Fixpoint plus_all (a b : list nat) :=
  match a, b with
  | [], _ => b
  | _, [] => a
  | x :: a', y :: b' => x + y :: plus_all a' b'
  end.
Fixpoint max_all (a b : list nat) :=
  match a, b with
  | [], _ => b
  | _, [] => a
  | x :: a', y :: b' => Nat.max x y :: max_all a' b'
  end.
Fixpoint minus_all (a b : list nat) :=
  match a, b with
  | [], _ => []
  | _, [] => a
  | x :: a', y :: b' => x - y :: minus_all a' b'
  end.
Fixpoint same (a b : list nat) :=
  match a, b with
  | [], [] => true
  | x :: a', y :: b' => (x =? y) && same a' b'
  | _, _ => false
  end.
Lemma same_ok a : forall b, same a b = true -> a = b.
Proof.
  induction a; intros [|y b]; simpl; try discriminate; auto.
  intros H; apply andb_prop in H as [H K]. apply Nat.eqb_eq in H. f_equal; auto.
Qed.

Fixpoint power (h : list R) (e : list nat) : R :=
  match h, e with
  | x :: h', k :: e' => (x ^ k * power h' e')%R
  | _, _ => 1%R
  end.
Fixpoint ppower (h : list poly) (e : list nat) : poly :=
  match h, e with
  | _ :: h', 0 :: e' => ppower h' e'
  | x :: h', k :: e' => pmul (ppow x k) (ppower h' e')
  | _, _ => pcst 1
  end.

Lemma power_plus h : forall a b, power h (plus_all a b) = (power h a * power h b)%R.
Proof.
  induction h as [|x h IH]; intros [|i a] [|j b]; simpl; try ring.
  rewrite IH, pow_add. ring.
Qed.
Lemma power_nz h : (forall x, In x h -> x <> 0%R) -> forall e, power h e <> 0%R.
Proof.
  induction h as [|x h IH]; intros H [|k e]; simpl; try apply R1_neq_R0.
  apply Rmult_integral_contrapositive_currified; [apply pow_nonzero|apply IH]; simpl in *; auto.
Qed.
Lemma ppower_ok l h : forall e, pval l (ppower h e) = power (map (pval l) h) e.
Proof.
  induction h as [|x h IH]; intros [|[|k] e]; cbn [ppower power map pow];
    rewrite ?pcst_ok, ?Q2R_1; try reflexivity.
  - rewrite IH. ring.
  - rewrite pmul_ok, IH. f_equal. exact (ppow_ok l x (S k)).
Qed.

(* ---- fractions; None is "not known" ---- *)

Definition frac := option (poly * list nat).
(* Divisors that may occur: the polynomial, and how it is written c h1^e1 h2^e2 ... *)
Definition table := list (poly * (Q * list nat)).

Section Fractions.
  Variables (nvars : nat) (h : list poly) (known : table).

  Definition constant (p : poly) := match p with Pc c => Some c | _ => None end.
  Definition fcst q : frac := Some (pcst q, []).
  Definition to_den (x : poly * list nat) (m d : list nat) : option poly :=
    if same (plus_all (snd x) d) m then Some (pmul (fst x) (ppower h d)) else None.
  Definition fadd_with (op : poly -> poly -> poly) (a b : frac) : frac :=
    match a, b with
    | Some x, Some y =>
        if same (snd x) (snd y) then Some (op (fst x) (fst y), snd x)
        else
          let m := max_all (snd x) (snd y) in
          match to_den x m (minus_all m (snd x)), to_den y m (minus_all m (snd y)) with
          | Some p, Some q => Some (op p q, m)
          | _, _ => None
          end
    | _, _ => None
    end.
  Definition fmul (a b : frac) : frac :=
    match a, b with
    | Some x, Some y =>
        if is_zero (fst x) || is_zero (fst y) then fcst 0
        else Some (pmul (fst x) (fst y), plus_all (snd x) (snd y))
    | _, _ => None
    end.
  Fixpoint find (p : poly) (t : table) :=
    match t with
    | [] => None
    | (q, v) :: t' => if peq p q then Some v else find p t'
    end.
  Definition divisor (p : poly) : option (Q * list nat) :=
    match constant p with Some c => Some (c, []) | None => find p known end.
  Definition fdiv (a b : frac) : frac :=
    match a, b with
    | Some x, Some y =>
        if is_zero (fst x) then fcst 0
        else match divisor (fst y) with
             | Some (c, e) =>
                 if Qeq_bool c 0 then None
                 else Some (pmul (pmul (fst x) (ppower h (snd y))) (pcst (/ c)),
                            plus_all (snd x) e)
             | None => None
             end
    | _, _ => None
    end.
  Definition fopp (a : frac) : frac :=
    match a with Some x => Some (popp (fst x), snd x) | None => None end.
  Definition ftimes (a : frac) (f : unit -> frac) : frac :=
    match a with
    | Some x => if is_zero (fst x) then fcst 0 else fmul a (f tt)
    | None => None
    end.
  Definition Fops : ops frac :=
    Ops frac fcst (fadd_with padd) (fadd_with psub) fmul fdiv fopp ftimes.
  Definition fvar i : frac := if i <? nvars then Some (pvar i, []) else None.

  Definition known_ok :=
    forallb (fun r => peq (fst r) (pmul (pcst (fst (snd r))) (ppower h (snd (snd r))))) known.

  Section Values.
    Variable rho : nat -> R.
    Let l := map rho (seq 0 nvars).
    Hypothesis h_nz : forall p, In p h -> pval l p <> 0%R.
    Hypothesis table_ok : known_ok = true.

    Definition fval (x : poly * list nat) : R := (pval l (fst x) / power (map (pval l) h) (snd x))%R.
    Definition frel (a : R) (x : frac) := match x with Some y => a = fval y | None => True end.

    Lemma h_power e : power (map (pval l) h) e <> 0%R.
    Proof.
      apply power_nz. intros x H. apply in_map_iff in H as [p [<- H]]. auto.
    Qed.

    Lemma to_den_ok x m d p : to_den x m d = Some p -> fval x = fval (p, m).
    Proof.
      unfold to_den. destruct (same _ _) eqn:E; [|discriminate]. intros [= <-].
      apply same_ok in E. subst m. unfold fval; cbn [fst snd].
      rewrite pmul_ok, ppower_ok, power_plus.
      pose proof (h_power (snd x)). pose proof (h_power d). field; auto.
    Qed.

    Lemma fadd_with_ok op rop a b x y :
      (forall p q, pval l (op p q) = rop (pval l p) (pval l q)) ->
      (forall u v w, (rop u v / w = rop (u / w) (v / w))%R) ->
      frel a x -> frel b y -> frel (rop a b) (fadd_with op x y).
    Proof.
      intros H D. destruct x as [x|], y as [y|]; simpl; auto. intros -> ->.
      destruct (same _ _) eqn:E.
      - apply same_ok in E. unfold frel, fval; cbn [fst snd]. now rewrite H, D, E.
      - destruct (to_den x _ _) eqn:X; [|exact I]. destruct (to_den y _ _) eqn:Y; [|exact I].
        apply to_den_ok in X, Y. rewrite X, Y. unfold frel, fval; cbn [fst snd]. now rewrite H, D.
    Qed.

    Lemma fcst_ok q : frel (Q2R q) (fcst q).
    Proof.
      unfold frel, fval, fcst; cbn [fst snd]. rewrite pcst_ok.
      replace (power (map (pval l) h) []) with 1%R by (now destruct h). field.
    Qed.

    Lemma fmul_ok a b x y : frel a x -> frel b y -> frel (a * b) (fmul x y).
    Proof.
      destruct x as [x|], y as [y|]; simpl; auto. intros -> ->.
      destruct (is_zero (fst x)) eqn:X; simpl; [|destruct (is_zero (fst y)) eqn:Y].
      - replace (fval x * fval y)%R with (Q2R 0); [apply fcst_ok|].
        rewrite Q2R_0. unfold fval at 1. rewrite (is_zero_ok l _ X). unfold Rdiv. ring.
      - replace (fval x * fval y)%R with (Q2R 0); [apply fcst_ok|].
        rewrite Q2R_0. unfold fval at 2. rewrite (is_zero_ok l _ Y). unfold Rdiv. ring.
      - unfold frel, fval; cbn [fst snd]. rewrite pmul_ok, power_plus.
        pose proof (h_power (snd x)). pose proof (h_power (snd y)). field; auto.
    Qed.

    Lemma find_ok p t v :
      find p t = Some v ->
      forallb (fun r => peq (fst r) (pmul (pcst (fst (snd r))) (ppower h (snd (snd r))))) t = true ->
      pval l p = (Q2R (fst v) * power (map (pval l) h) (snd v))%R.
    Proof.
      induction t as [|[q w] t IH]; simpl; [discriminate|].
      intros F K. apply andb_prop in K as [K K'].
      destruct (peq p q) eqn:E; [|auto]. injection F as <-.
      rewrite (peq_ok l _ _ E), (peq_ok l _ _ K), pmul_ok, pcst_ok, ppower_ok. reflexivity.
    Qed.

    Lemma divisor_ok p v :
      divisor p = Some v -> pval l p = (Q2R (fst v) * power (map (pval l) h) (snd v))%R.
    Proof.
      unfold divisor, constant. destruct p as [c|p p'|p i p'].
      - intros [= <-]; simpl.
        replace (power (map (pval l) h) []) with 1%R by (now destruct h).
        unfold pval; simpl. ring.
      - intros F. exact (find_ok _ _ _ F table_ok).
      - intros F. exact (find_ok _ _ _ F table_ok).
    Qed.

    Lemma fdiv_ok a b x y : frel a x -> frel b y -> frel (a / b) (fdiv x y).
    Proof.
      destruct x as [x|], y as [y|]; cbn [frel fdiv]; auto. intros -> ->.
      destruct (is_zero (fst x)) eqn:X.
      - replace (fval x / fval y)%R with (Q2R 0); [apply fcst_ok|].
        rewrite Q2R_0. unfold fval at 1. rewrite (is_zero_ok l _ X). unfold Rdiv. ring.
      - destruct (divisor (fst y)) as [[c e]|] eqn:D; [|exact I].
        destruct (Qeq_bool c 0) eqn:C; [exact I|].
        apply divisor_ok in D. simpl in D. unfold frel, fval; cbn [fst snd].
        rewrite D, !pmul_ok, pcst_ok, ppower_ok, power_plus, Q2R_inv by (now apply Qeq_bool_neq).
        pose proof (h_power (snd x)). pose proof (h_power (snd y)). pose proof (h_power e).
        apply Q2R_neqb in C. field; auto.
    Qed.

    Lemma fractions : related Rops Fops frel.
    Proof.
      constructor; simpl; intros.
      - apply fcst_ok.
      - apply fadd_with_ok; auto using padd_ok. intros; unfold Rdiv; ring.
      - apply fadd_with_ok; auto using psub_ok. intros; unfold Rdiv; ring.
      - now apply fmul_ok.
      - now apply fdiv_ok.
      - destruct x as [x|]; simpl in *; auto. subst. unfold fval; cbn [fst snd].
        rewrite popp_ok. unfold Rdiv; ring.
      - destruct x as [x|]; cbn [Fops times ftimes]; auto. destruct (is_zero (fst x)) eqn:X.
        + simpl in H. replace (a * f tt)%R with (Q2R 0); [apply fcst_ok|].
          subst. rewrite Q2R_0. unfold fval. rewrite (is_zero_ok l _ X). unfold Rdiv; ring.
        + exact (fmul_ok a (f tt) (Some x) (g tt) H H0).
    Qed.

    Lemma fvar_ok i : frel (rho i) (fvar i).
    Proof.
      clear h_nz table_ok. unfold fvar. destruct (i <? nvars) eqn:E; [|exact I]. apply Nat.ltb_lt in E.
      unfold frel, fval; cbn [fst snd].
      replace (power (map (pval l) h) []) with 1%R by (now destruct h).
      rewrite pvar_ok. unfold l.
      rewrite (nth_indep _ 0%R (rho 0)) by (now rewrite map_length, seq_length).
      rewrite map_nth, seq_nth by auto. simpl. field.
    Qed.
  End Values.
End Fractions.
